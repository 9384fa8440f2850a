import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openBrowser, SKIP, violations, WINDOWS } from './browser-support.ts';
import { DRAFT, startDraft } from './preview-support.ts';

/** With SCREENSHOTS=1 the pages are kept in docs/screenshots/. */
const keep = process.env.SCREENSHOTS === '1';

for (const { width, colorScheme } of WINDOWS) {
  describe(`the preview at ${width} px, ${colorScheme}`, SKIP, () => {
    it('has nothing that axe-core finds, fits the window, and reloads when the draft is saved, its colours too', async t => {
      const { url, save } = await startDraft(t);
      const { page, faults } = await openBrowser(t, { width, colorScheme });
      await page.goto(url);
      assert.deepEqual(await violations(page), []);
      await page.fill('#q', '¿qué ofertas no sirven para nada?');
      await page.click('button');
      await page.waitForSelector('#answer .scores');
      assert.deepEqual(await violations(page), []);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      if (keep)
        await page.screenshot({
          path: `docs/screenshots/preview-${width}-${colorScheme}.png`,
          clip: { x: 0, y: 0, width, height: 1500 },
          fullPage: true,
        });
      const statement = 'Una afirmación nueva con 7 palabras en total.';
      save({ ...DRAFT, claims: DRAFT.claims.map((claim: object) => ({ ...claim, statement })) });
      await page.waitForSelector(`text=${statement}`);
      assert.equal(await page.inputValue('#q'), '¿qué ofertas no sirven para nada?');
      const loaded = page.waitForEvent('load');
      save({ ...DRAFT, colors: { primary: '#b8336a' } });
      await loaded;
      const accent = 'getComputedStyle(document.documentElement).getPropertyValue("--accent")';
      assert.match(String(await page.evaluate(accent)), colorScheme === 'light' ? /^#b8336a$/ : /^#(?!b8336a)/);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(faults, []);
    });
  });
}
