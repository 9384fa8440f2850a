import { existsSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Mail } from '../../server/mail/mailer.ts';
import { PARTNER } from '../support/submission-support.ts';
import { type AppOptions, startApp } from '../support/support.ts';

/** Chromium as Linux distributions install it. `undefined`: there is none. */
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(path =>
  existsSync(path),
);

/**
 * For `describe`: what is missing and how to get it, and how long a suite and each of its tests may take. Playwright bounds no
 * `evaluate` and no `count` itself.
 */
export const SKIP = {
  skip: CHROMIUM ? false : 'chromium is not installed: apt-get install chromium',
  timeout: 600_000,
};

let launched: Promise<Browser> | undefined;

/** The browser of a test file: its tests share it, and each has windows and cookies of its own. */
const sharedBrowser = () =>
  (launched ??= chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: ['--no-sandbox', '--host-resolver-rules=MAP *.example 127.0.0.1'],
    timeout: 240_000,
  }));

after(async () => {
  await (await launched)?.close();
});

/** Wide, of a tablet and of a phone, in both colour schemes: colours do not depend on the width. */
export const WINDOWS = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 768, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

export interface BrowserOptions {
  readonly javaScriptEnabled?: boolean;
  readonly width?: number;
  readonly locale?: string;
  readonly colorScheme?: 'light' | 'dark';
}

/** A browser window that remembers everything it complains about. */
export async function openBrowser(t: TestContext, options: BrowserOptions = {}) {
  const { javaScriptEnabled = true, width = 1280, locale = 'es-ES', colorScheme = 'light' } = options;
  const context = await (await sharedBrowser()).newContext({
    ...{ javaScriptEnabled, locale, colorScheme, viewport: { width, height: 900 }, reducedMotion: 'reduce' },
  });
  t.after(() => context.close());
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', message => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', error => faults.push(error.message));
  return { page, faults, context };
}

/** The real server with mail that is kept, and a window on one of its pages. */
export async function openSite(
  t: TestContext,
  path = '/',
  { app, ...options }: BrowserOptions & { app?: AppOptions } = {},
) {
  const mails: Mail[] = [];
  const send = async (mail: Mail) => ({ reply: `250 ${mails.push(mail)}` });
  const { url, clock } = await startApp(t, {
    mailer: { name: 'file', send, verify: async () => {} },
    ...app,
  });
  const window = await openBrowser(t, options);
  await window.page.goto(url + path);
  return { ...window, url, clock, mails };
}

/**
 * What axe-core finds on the page as it stands, one line each. Evaluated, not injected, so that no policy is in the way.
 * @param runOnly rules; all without it
 * @param within selector of the part of the page that is looked at
 */
export async function violations(
  page: Page,
  runOnly?: readonly string[],
  within = 'html',
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], runOnly };
  const result = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)})`,
  );
  return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

export async function resize(page: Page, { width, colorScheme }: (typeof WINDOWS)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme });
}

/** In the dark only colours differ. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/** What axe-core finds on the page in each of WINDOWS, with all that unfolds open, and where the page is wider than the window. */
export async function violationsInWindows(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate('for (const details of document.querySelectorAll("details")) details.open = true');
  for (const window of WINDOWS) {
    await resize(page, window);
    const broken = await violations(page, window.colorScheme === 'dark' ? COLOUR_RULES : undefined);
    const width = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (width !== window.width) broken.push(`the page is ${width} px wide`);
    found.push(...broken.map(one => `${window.width} px, ${window.colorScheme}: ${one}`));
  }
  return found;
}

export async function fill(
  page: Page,
  tool: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(fields)) {
    const isChoice = name === 'size' || name === 'level';
    await (isChoice ? page.selectOption(`#${tool}-${name}`, value) : page.fill(`#${tool}-${name}`, value));
  }
}

/** Sends an application from the page of its form. */
export async function sendPartner(page: Page, changes: Readonly<Record<string, string>> = {}): Promise<void> {
  await fill(page, 'apply_partner_program', { ...PARTNER, ...changes });
  await page.click('form[method=post] button');
}
