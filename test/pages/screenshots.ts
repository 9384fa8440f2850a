import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ROOT } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { startApp } from '../support/support.ts';
import { openBrowser, SKIP, sendPartner } from './browser-support.ts';
import { brandWithPolicy } from './page-support.ts';
import { yellowBrand } from './three-brands.ts';

/** `npm run screenshots`: every page as a picture and what it weighs, into docs/screenshots/. */
const FOLDER = `${ROOT}docs/screenshots`;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly brand?: 'yellow' | 'host';
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly prepare?: (page: Page) => Promise<void>;
}

const sending = (email: string, heading: string) => async (page: Page) => {
  await page.check('[name=consent]');
  await sendPartner(page, { email });
  await page.waitForSelector(`h1:text("${heading}")`);
};

const at = (query: string, lang = 'es') => `/ask?q=${encodeURIComponent(query)}&lang=${lang}`;
const PRICE = '¿Cuánto cuesta el diagnóstico?';
const PHONE = { width: 390 } as const;
const DARK = { colorScheme: 'dark' } as const;

const SHOTS: readonly Shot[] = [
  { name: 'home', path: '/?lang=es' },
  { name: 'home-phone-dark', path: '/?lang=es', ...PHONE, ...DARK },
  { name: 'home-yellow', path: '/?lang=en', brand: 'yellow' },
  { name: 'answer', path: at(PRICE) },
  {
    name: 'answer-yellow-phone-dark',
    path: at('What does it cost?', 'en'),
    brand: 'yellow',
    ...PHONE,
    ...DARK,
  },
  { name: 'claims', path: '/claims?lang=es' },
  { name: 'claims-phone', path: '/claims?lang=es', ...PHONE },
  { name: 'claim', path: '/claims/clm-diagnostic-price?lang=es' },
  {
    name: 'form-refused',
    path: '/forms/partner?lang=es',
    prepare: sending('ana@example', 'No se ha enviado'),
  },
  { name: 'thanks', path: '/forms/partner?lang=es', prepare: sending('ana@example.org', 'Hemos recibido') },
  { name: 'docs', path: '/docs' },
  { name: 'embed', path: '/light', brand: 'host' },
  { name: 'embed-dark', path: '/dark', brand: 'host' },
];

it('every page, as a picture of less than 60 KB and with its weight', SKIP, async t => {
  mkdirSync(FOLDER, { recursive: true });
  for (const file of readdirSync(FOLDER)) rmSync(`${FOLDER}/${file}`);
  const env = { LIMITS: 'submissions=1/3000' };
  const { url } = await startApp(t, { env, brand: await brandWithPolicy() });
  const yellow = await startApp(t, { brand: await yellowBrand() });
  const urls = { own: url, yellow: yellow.url, host: await startHost(t, url) };
  const rows: string[] = [];
  for (const shot of SHOTS) rows.push(await take(t, shot, urls[shot.brand ?? 'own']));
  const text = `# The pages

\`npm run screenshots\` makes them: the bundled example, a brand with a light primary and a long name, and two pages of other sites that hold \`<aval-ask>\`.
Bytes on the wire with headers, and requests, of a first visit; first paint in milliseconds on the machine that made the pictures.

| picture | bytes | requests | first paint |
| --- | ---: | ---: | ---: |
${rows.join('\n')}
`;
  writeFileSync(`${FOLDER}/README.md`, text);
});

/** Pages of another site, each with the question box. */
function startHost(t: TestContext, server: string): Promise<string> {
  const styles: Readonly<Record<string, string>> = {
    '/light': 'body{background:#fff;font-family:Georgia;margin:3rem auto;max-width:50rem}',
    '/dark': 'body{background:#000;color:#fff;font-family:Georgia;margin:3rem auto;max-width:50rem}',
  };
  return serve(t, ({ url = '' }, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="es"><meta name="viewport" content="width=device-width"><title>Otra web</title><link rel="icon" href="data:,"><style>${styles[url]}</style><h1>Otra web</h1><p>Este texto es de la página que lo acoge.</p><script src="${server}/embed.js"></script><aval-ask></aval-ask>`,
    );
  });
}

async function take(t: TestContext, shot: Shot, url: string) {
  const { name, path, brand, width = 1280, colorScheme = 'light', prepare } = shot;
  const { page, context } = await openBrowser(t, { width, colorScheme });
  let bytes = 0;
  let requests = 0;
  const network = await context.newCDPSession(page);
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    if (encodedDataLength === 0) return;
    requests += 1;
    bytes += encodedDataLength;
  });
  await network.send('Network.enable');
  await page.goto(`${url}${path}`);
  await page.waitForLoadState('networkidle');
  if (name.startsWith('embed')) {
    await page.fill('aval-ask #q', PRICE);
    await page.press('aval-ask #q', 'Enter');
    await page.waitForSelector('aval-ask article');
  }
  const row = `${bytes} | ${requests}`;
  assert.ok(bytes < 45_000 || brand === 'host', `${name}: ${bytes} bytes`);
  const paint = await page.evaluate('performance.getEntriesByName("first-contentful-paint")[0]?.startTime');
  await prepare?.(page);
  await page.setViewportSize({ width, height: width < 500 ? 844 : 860 });
  const image = await picture(page, context);
  assert.ok(image.length < 60_000, `${name}: ${image.length}`);
  writeFileSync(`${FOLDER}/${name}.webp`, image);
  await context.close();
  return `| [${name}](${name}.webp) | ${row} | ${Math.round(Number(paint))} |`;
}

/** What the window shows, as WebP. */
async function picture(page: Page, context: ReturnType<Page['context']>): Promise<Buffer> {
  const browser = await context.newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 55 });
  return Buffer.from(data, 'base64');
}
