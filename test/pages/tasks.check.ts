import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openSite, SKIP } from './browser-support.ts';

type Tap = (css: string) => Promise<void>;

/** What a visitor wants, how they do it from the home page (what they tap, and type between), and what they see in the end. */
interface Task {
  readonly wants: string;
  readonly how: readonly string[] | ((tap: Tap, page: Page) => Promise<void>);
  readonly sees: string;
}

const PRICE = '.chips a:text("¿Cuánto cuesta")';
const PERSON = [
  'Ana Ruiz',
  'ana@example.org',
  'Conservas',
  'Directora',
  'España',
  'El margen baja desde hace un año.',
];

/** Types into the field that has the cursor; Enter and Tab are keys of the same keyboard. */
async function type(page: Page, text: string, key: 'Enter' | 'Tab'): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press(key);
}

const TASKS: readonly Task[] = [
  { wants: 'a price and what it leaves out', how: [PRICE], sees: '.figure:text("7.900") ~ .pairs .not' },
  {
    wants: 'to share that answer',
    how: [PRICE, '#answer [data-copy]'],
    sees: '#answer [data-copy]:text("Enlace copiado")',
  },
  { wants: 'to verify that answer', how: [PRICE, 'text=Comprobar aquí'], sees: '[role=status].good' },
  {
    wants: 'to open the proof of that answer',
    how: [PRICE, '#answer summary:text("Ver la prueba")'],
    sees: '.proof dd',
  },
  {
    wants: 'to ask what no claim answers, and to have a person answer it',
    async how(tap, page) {
      await tap('#q');
      await type(page, '¿Qué tiempo hace en Marte?', 'Enter');
      await tap('#ask_team-email');
      await type(page, 'ana@example.org', 'Enter');
    },
    sees: '.reference',
  },
  {
    wants: 'to send a request, once although the page is loaded again',
    async how(tap, page) {
      await tap('nav >> text=Diagnóstico');
      await tap('#request_diagnostic-name');
      for (const value of PERSON) await type(page, value, 'Tab');
      await tap('form[method=post] button');
      await page.waitForSelector('.reference');
      await page.reload();
    },
    sees: '.reference',
  },
  {
    wants: 'to know who they are',
    async how(tap, page) {
      await tap('#q');
      await type(page, '¿Quiénes sois?', 'Enter');
    },
    sees: '#answer .statement:text("Consultora española")',
  },
  { wants: 'an address to write to', how: [], sees: '.foot a[href^="mailto:"]' },
  { wants: 'the page in English', how: ['nav >> text=English'], sees: 'html[lang=en] #ask button' },
  {
    wants: 'whether something applies to them',
    async how(tap, page) {
      await tap('nav >> text=Lo que afirmamos');
      await tap('#filter');
      await type(page, 'bolsa', 'Tab');
    },
    sees: '.claim:visible .not dd:text("bolsa")',
  },
];

/** The most that anybody is asked to tap. */
const MOST = 3;

describe(
  'a visitor with a phone, in at most three taps and without a mistake of the page, gets',
  SKIP,
  () => {
    for (const { wants, how, sees } of TASKS)
      it(wants, async t => {
        const { page, context, faults, mails } = await openSite(t, '/?lang=es', { width: 390 });
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        let taps = 0;
        const tap = async (css: string) => {
          taps += 1;
          await page.click(css);
        };
        if (typeof how === 'function') await how(tap, page);
        else for (const css of how) await tap(css);
        await page.waitForSelector(sees);
        t.diagnostic(`${taps} taps`);
        assert.ok(taps <= MOST, `${taps} taps`);
        assert.ok(mails.filter(({ to }) => to === 'team@localhost').length <= 1);
        assert.deepEqual(faults, []);
      });
  },
);
