import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, SKIP, violations, WINDOWS } from './browser-support.ts';
import { CLAIM, profileFolder, startStudio } from './studio-support.ts';

/** With SCREENSHOTS=1 the pages are kept in docs/screenshots/. */
const keep = process.env.SCREENSHOTS === '1';

const VIEWS = ['brand', 'claims', 'claims/0', 'proofs/0', 'actions', 'ask', 'questions', 'asked', 'sign'];
const PROOF = {
  proof_id: 'prf-tarifa',
  type: 'price_list',
  title: 'Tarifa de 2026',
  summary: 'Precios de cada sesión.',
  client: 'Cualquier paciente',
  verifiable_by: 'Quien la pida en recepción',
  confidentiality: 'public',
};

async function openView(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = '#${view}'`);
  await page.waitForFunction(`document.querySelector('main')?.dataset.view === '${view.split('/')[0]}'`);
  await page.waitForLoadState('networkidle');
}

for (const { width, colorScheme } of WINDOWS) {
  describe(`the studio at ${width} px, ${colorScheme}`, SKIP, () => {
    it('has nothing that axe-core finds, fits the window and complains of nothing, in Spanish and English', async t => {
      const { path, read, write } = await profileFolder([
        {
          claim_id: 'clm-1',
          statement: `Dura ${'x'.repeat(400)} 50 minutos. <script>alert(1)</script>`,
          proof_ids: ['none'],
        },
        CLAIM,
      ]);
      await write({
        ...(await read()),
        proofs: [PROOF],
        questions: [{ text: '¿Cuánto cuesta?', claim_id: CLAIM.claim_id }],
      });
      const { url, done } = await startStudio(t, path);
      await done('question', { query: '¿Tenéis descuento?', relevant: [CLAIM.claim_id] });
      const { page, faults } = await openBrowser(t, { width, colorScheme });
      await page.goto(url);
      await page.waitForSelector('#list');
      for (const lang of ['es', 'en']) {
        if (lang === 'en') await page.click('header button[lang="en"]');
        for (const view of VIEWS) {
          await openView(page, view);
          if (view === 'ask') {
            await page.fill('#ask', '¿Cuánto cuesta una sesión?');
            await page.keyboard.press('Enter');
            await page.waitForSelector('#answer li');
          }
          assert.deepEqual(await violations(page), [], `${view} ${lang}`);
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, view);
        }
      }
      assert.deepEqual(faults, []);
      if (keep) await picture(page, `studio-${width}-${colorScheme}`, 'claims/1');
    });
  });
}

async function picture(page: Page, name: string, view: string): Promise<void> {
  await openView(page, view);
  await page.screenshot({ path: `docs/screenshots/${name}.png` });
}
