import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { start } from '../bench/child.ts';

/** `npm run bench -- picture`: the page of the bundled example with a question answered, as docs/page.png. Wants chromium. */
const FILE = fileURLToPath(new URL('page.png', import.meta.url));
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);
if (CHROMIUM === undefined) throw new Error('chromium is not installed: apt-get install chromium');

const server = await start(['dist/server/main.js'], { PORT: '0' });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
const page = await browser.newPage({
  viewport: { width: 1000, height: 900 },
  locale: 'es-ES',
  colorScheme: 'light',
});
await page.goto(`http://127.0.0.1:${server.port}`);
await page.locator('input[name=q], textarea[name=q]').first().fill('¿Cuánto cuesta el diagnóstico?');
await page.keyboard.press('Enter');
await page.getByText('7.900').first().waitFor();
await page.screenshot({ path: FILE });
await browser.close();
await server.stop();
