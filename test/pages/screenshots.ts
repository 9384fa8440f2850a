import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ROOT } from '../support/folder.ts';
import { serve } from '../support/serve.ts';
import { startApp } from '../support/support.ts';
import { openBrowser, SKIP, sendPartner } from './browser-support.ts';
import { yellowBrand } from './three-brands.ts';

/** `npm run screenshots`: pages as pictures, into docs/screenshots/. */
const FOLDER = `${ROOT}docs/screenshots`;

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly brand?: 'yellow' | 'host';
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
  readonly prepare?: (page: Page) => Promise<void>;
}

const PRICE = '¿Cuánto cuesta el diagnóstico?';

async function askEmbed(page: Page): Promise<void> {
  await page.fill('aval-ask #q', PRICE);
  await page.press('aval-ask #q', 'Enter');
  await page.waitForSelector('aval-ask article');
}

async function sendRefused(page: Page): Promise<void> {
  await sendPartner(page, { email: 'ana@example' });
  await page.waitForSelector('h1:text("No se ha enviado")');
}

const SHOTS: readonly Shot[] = [
  { name: 'home', path: '/?lang=es' },
  { name: 'home-phone-dark', path: '/?lang=es', width: 390, colorScheme: 'dark' },
  { name: 'home-yellow', path: '/?lang=en', brand: 'yellow' },
  { name: 'answer', path: `/ask?q=${encodeURIComponent(PRICE)}&lang=es` },
  { name: 'claims', path: '/claims?lang=es' },
  { name: 'claims-phone', path: '/claims?lang=es', width: 390 },
  { name: 'form-refused', path: '/forms/partner?lang=es', prepare: sendRefused },
  { name: 'docs', path: '/docs?lang=en' },
  { name: 'embed', path: '/', brand: 'host', prepare: askEmbed },
  { name: 'embed-dark', path: '/', brand: 'host', colorScheme: 'dark', prepare: askEmbed },
];

it('pages, as pictures', SKIP, async t => {
  for (const file of readdirSync(FOLDER)) rmSync(`${FOLDER}/${file}`);
  const { url } = await startApp(t);
  const yellow = await startApp(t, { brand: await yellowBrand() });
  const urls = { own: url, yellow: yellow.url, host: await startHost(t, url) };
  for (const shot of SHOTS) await take(t, shot, urls[shot.brand ?? 'own']);
});

/** A page of another site with the question box, in the colour scheme of the visitor. */
function startHost(t: TestContext, server: string): Promise<string> {
  return serve(t, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html>
<html lang="es">
<meta name="viewport" content="width=device-width">
<title>Otra web</title>
<link rel="icon" href="data:,">
<style>:root{color-scheme:light dark}body{font-family:Georgia;margin:3rem auto;max-width:50rem}</style>
<h1>Otra web</h1>
<p>Este texto es de la página que lo acoge.</p>
<script src="${server}/embed.js"></script>
<aval-ask></aval-ask>`);
  });
}

/** Writes what the window shows, as WebP. */
async function take(t: TestContext, shot: Shot, url: string): Promise<void> {
  const { name, path, width = 1280, colorScheme = 'light', prepare } = shot;
  const { page, context } = await openBrowser(t, { width, colorScheme });
  await page.goto(`${url}${path}`);
  await page.waitForLoadState('networkidle');
  await prepare?.(page);
  await page.setViewportSize({ width, height: 860 });
  const browser = await context.newCDPSession(page);
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 55 });
  writeFileSync(`${FOLDER}/${name}.webp`, Buffer.from(data, 'base64'));
  await context.close();
}
