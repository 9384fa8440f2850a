import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { fill, openBrowser, SKIP } from './browser-support.ts';
import { englishBrand } from './english-brand.ts';
import { ROOT, startApp } from './support.ts';

/** `npm run screenshots`: every page as a picture and what it weighs, into docs/screenshots/. */
const FOLDER = `${ROOT}docs/screenshots`;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly brand?: 'english';
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly prepare?: (page: Page) => Promise<void>;
}

const PARTNER = {
  name: 'Ana Ruiz',
  company: 'Agencia Ruiz',
  size: '3 a 5',
  level: 'No estoy seguro',
  country: 'España',
};

async function sendPartner(page: Page, email: string, heading: string): Promise<void> {
  await fill(page, 'apply_partner_program', { ...PARTNER, email, context: 'Doce clientes de alimentación.' });
  await page.check('[name=consent]');
  await page.click('form button');
  await page.waitForSelector(`h1:text("${heading}")`);
}

const SHOTS: readonly Shot[] = [
  { name: 'home', path: '/' },
  { name: 'home-dark', path: '/', colorScheme: 'dark' },
  { name: 'home-phone', path: '/', width: 390 },
  { name: 'home-english-brand', path: '/?lang=en', brand: 'english' },
  { name: 'answer', path: '/ask?q=%C2%BFCu%C3%A1nto%20cuesta%20el%20diagn%C3%B3stico%3F' },
  { name: 'no-answer', path: '/ask?q=%C2%BFQu%C3%A9%20tiempo%20hace%20en%20Marte%3F' },
  { name: 'form', path: '/forms/partner' },
  { name: 'refusal', path: '/forms/partner', prepare: page => sendPartner(page, 'ana@example', 'No se ha enviado') },
  { name: 'thanks', path: '/forms/partner', prepare: page => sendPartner(page, 'ana@example.org', 'Gracias') },
  { name: 'limit', path: '/forms/partner', prepare: page => sendPartner(page, 'ana@example.org', 'Demasiados envíos') },
  { name: 'reference', path: '/docs' },
];

it('every page, as a picture of less than 150 KB and with its weight', SKIP, async t => {
  mkdirSync(FOLDER, { recursive: true });
  const env = { LIMIT_SUBMISSIONS: '1/3000', PRIVACY_URL: 'https://norteclaro.example/privacidad' };
  const { url } = await startApp(t, { env });
  const english = await startApp(t, { brand: await englishBrand() });
  const rows: string[] = [];
  for (const shot of SHOTS) rows.push(await take(t, shot, shot.brand ? english.url : url));
  const text = [
    '# The pages',
    '',
    'Made by `npm run screenshots` from the bundled example brand, and once from a second brand in English with its own colours.',
    'Bytes and requests as a browser sees them on a first visit; the first paint in milliseconds, without JavaScript, on the machine that made the pictures.',
    '',
    '| page | bytes | requests | first paint |',
    '| --- | ---: | ---: | ---: |',
    ...rows,
    '',
  ];
  writeFileSync(`${FOLDER}/README.md`, text.join('\n'));
});

async function take(t: TestContext, { name, path, width = 1280, colorScheme = 'light', prepare }: Shot, url: string) {
  const { page } = await openBrowser(t, { width, colorScheme, javaScriptEnabled: false });
  let bytes = 0;
  let requests = 0;
  page.on('response', async response => {
    if (response.url().startsWith('data:')) return;
    requests += 1;
    bytes += Number((await response.body().catch(() => Buffer.alloc(0))).length);
  });
  await page.goto(`${url}${path}`);
  await page.waitForLoadState('networkidle');
  const weight = [bytes, requests];
  const paint = await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0]?.startTime');
  await prepare?.(page);
  const file = `${FOLDER}/${name}.png`;
  const tall = name === 'answer' || name === 'refusal' || name === 'form' || name === 'limit' ? 1500 : 1000;
  await page.setViewportSize({ width, height: tall });
  await page.screenshot({ path: file });
  assert.ok(statSync(file).size < 150_000, `${name}: ${statSync(file).size}`);
  assert.ok((weight[0] ?? 0) < 60_000 || name === 'reference', `${name}: ${weight[0]} bytes`);
  await page.context().browser()?.close();
  return `| [${name}](${name}.png) | ${weight[0]} | ${weight[1]} | ${Math.round(Number(paint))} |`;
}
