import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openBrowser, SKIP, violations, WINDOWS } from './browser-support.ts';
import { startAsked } from './report-support.ts';

/** With SCREENSHOTS=1 the pages are kept in docs/screenshots/. */
const keep = process.env.SCREENSHOTS === '1';

describe('the page of aval report', SKIP, () => {
  it('has nothing that axe-core finds and fits the window, light and dark, wide and at 390 px, without a network', async t => {
    const { run } = await startAsked(t);
    const file = join(mkdtempSync(join(tmpdir(), 'report-')), 'report.html');
    await run({ html: file });
    for (const { width, colorScheme } of WINDOWS) {
      const { page, faults, context } = await openBrowser(t, { width, colorScheme });
      await context.setOffline(true);
      await page.goto(pathToFileURL(file).href);
      assert.deepEqual(await violations(page), [], `${width} ${colorScheme}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      assert.deepEqual(faults, []);
      if (keep) await page.screenshot({ path: `docs/screenshots/report-${width}-${colorScheme}.png` });
    }
  });
});
