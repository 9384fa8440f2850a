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
const CLAIMS = 'text=/Ver las \\d+ afirmaciones/';
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

const ask = (question: string) => async (tap: Tap, page: Page) => {
  await tap('#q');
  await type(page, question, 'Enter');
};

const send = (form: string, fields: readonly string[]) => async (tap: Tap, page: Page) => {
  await tap(`a.button[href^="/forms/${form}"]`);
  await tap('form[method=post] input:visible >> nth=0');
  for (const value of fields) await type(page, value, 'Tab');
  await tap('form[method=post] button');
};

const TASKS: readonly Task[] = [
  { wants: 'a price', how: [PRICE], sees: '#answer .figure:has-text("7.900")' },
  { wants: 'what that price leaves out', how: [PRICE], sees: '#answer .limits .not' },
  { wants: 'the same price on the first page, with its limits', how: [], sees: '.sample .limits .not' },
  {
    wants: 'to share that answer',
    how: [PRICE, 'text=Copiar enlace'],
    sees: '#answer button:text("Copiado")',
  },
  { wants: 'to quote that answer', how: [PRICE, 'text=Copiar respuesta'], sees: 'button:text("Copiado")' },
  {
    wants: 'to verify that answer',
    how: [PRICE, 'text=Cómo comprobarlo'],
    sees: '.source pre:has-text("aval verify")',
  },
  { wants: 'the proof of that answer', how: [PRICE, 'text=/Ver la/'], sees: '.proof dd' },
  { wants: 'how it was measured', how: [PRICE], sees: '#answer .evidence dd' },
  { wants: 'to know from when it is', how: [PRICE], sees: '.source p:text("1 de noviembre de 2026")' },
  { wants: 'another question at once', how: ask('¿Trabajáis en México?'), sees: '#answer .claim' },
  { wants: 'to ask a person instead', how: [PRICE, '.otherwise a'], sees: '#request_diagnostic-email' },
  {
    wants: 'a person to answer their own question',
    async how(tap, page) {
      await ask('¿Trabajáis con cooperativas?')(tap, page);
      await tap('#answer a.button');
    },
    sees: '#request_diagnostic-context:has-text("cooperativas")',
  },
  { wants: 'to see all that is stated', how: [CLAIMS], sees: '.row' },
  { wants: 'only one category', how: [CLAIMS, '.jumps a >> nth=3'], sees: '#category-4:target' },
  { wants: 'one claim at an address of its own', how: [CLAIMS, '.row a >> nth=0'], sees: 'h1.statement' },
  {
    wants: 'whether something applies to them',
    async how(tap, page) {
      await tap(CLAIMS);
      await tap('#filter');
      await type(page, 'bolsa', 'Tab');
    },
    sees: '.row:visible .not dd:text("bolsa")',
  },
  { wants: 'to request a diagnostic', how: send('diagnostic', PERSON), sees: '.reference' },
  {
    wants: 'to send it once although the page is loaded again',
    async how(tap, page) {
      await send('diagnostic', PERSON)(tap, page);
      await page.waitForSelector('.reference');
      await page.reload();
    },
    sees: '.reference',
  },
  {
    wants: 'to become a partner',
    how: send('partner', [
      'Ana',
      'ana@example.org',
      'Marea',
      '3 a 5',
      'Asociado',
      'España',
      'Doce clientes.',
    ]),
    sees: '.reference',
  },
  {
    wants: 'to mend a wrong address without typing the rest again',
    async how(tap, page) {
      await send('diagnostic', ['Ana', 'ana@example', ...PERSON.slice(2)])(tap, page);
      await page.waitForSelector('.problem');
      await page.fill('#request_diagnostic-email', 'ana@example.org');
      await page.keyboard.press('Enter');
    },
    sees: '.reference',
  },
  { wants: 'the firm’s own website', how: [], sees: 'header a[href="https://norteclaro.example"]' },
  { wants: 'an address to write to', how: [], sees: '.foot a[href^="mailto:"]' },
  { wants: 'the page in English', how: ['header >> text=English'], sees: 'html[lang=en] #ask button' },
  { wants: 'to connect an assistant', how: ['.foot >> text=/IA/'], sees: 'pre:has-text("mcpServers")' },
  { wants: 'the signed profile', how: [], sees: '.foot a[href="/.well-known/brand.json"]' },
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
        // A browser names each answer that is no success; a refused form is one.
        assert.deepEqual(
          faults.filter(fault => !fault.includes('400 (Bad Request)')),
          [],
        );
      });
  },
);
