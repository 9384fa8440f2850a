import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { loadBrand } from '../server/brand/load-brand.ts';
import { readConfig } from '../server/config/config.ts';
import { startServer } from '../server/start.ts';

/** `npm run docs:picture`: the page of the bundled example with a question answered, as docs/page.png. Wants chromium. */
const FILE = fileURLToPath(new URL('page.png', import.meta.url));
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (CHROMIUM === undefined) throw new Error('chromium is not installed: apt-get install chromium');

const config = readConfig({ PORT: '0' });
const log = () => {};
const server = await startServer({
  config,
  brand: await loadBrand(config, log),
  log,
  outbox: { deliver: async () => ({ outcome: 'not-kept' }), actionTimesMs: () => [] },
});
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, locale: 'es-ES', colorScheme: 'light' });
await page.goto(server.url);
await page.locator('input[name=q], textarea[name=q]').first().fill('¿Cuánto cuesta el diagnóstico?');
await page.keyboard.press('Enter');
await page.getByText('7.900').first().waitFor();
await page.screenshot({ path: FILE });
await browser.close();
await server.stop(0);
