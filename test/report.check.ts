import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openBrowser, resize, SKIP, violationsInWindows, WINDOWS } from './browser-support.ts';
import { temporaryFolder } from './folder.ts';
import { ASKED, startAsked } from './report-support.ts';

/** With SCREENSHOTS=1 the pages are kept in docs/screenshots/. */
const keep = process.env.SCREENSHOTS === '1';

describe('the page of aval report', SKIP, () => {
  it('has nothing that axe-core finds and fits the window, light and dark, wide and at 390 px, with a word of 400 letters and without a network', async t => {
    const word = 'x'.repeat(400);
    const { run } = await startAsked(t, { ASK_LOG: 'redacted' }, [...ASKED, { query: word, times: 1, by: 'person' }]);
    const file = join(temporaryFolder(), 'report.html');
    await run({ html: file });
    const { page, faults, context } = await openBrowser(t);
    assert.match(readFileSync(file, 'utf8'), new RegExp(word));
    await context.setOffline(true);
    await page.goto(pathToFileURL(file).href);
    assert.deepEqual(await violationsInWindows(page), []);
    assert.deepEqual(faults, []);
    for (const window of keep ? WINDOWS : []) {
      await resize(page, window);
      await page.screenshot({ path: `docs/screenshots/report-${window.width}-${window.colorScheme}.png` });
    }
  });
});
