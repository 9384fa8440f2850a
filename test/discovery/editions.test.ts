import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PublishedDocument } from '../../discovery/documents/document.ts';
import type { Site } from '../../discovery/documents/site.ts';
import { createEditions } from '../../discovery/editions.ts';
import { en } from '../../tools/words/en.ts';

/** What the document below reads of a site. */
const SITE = { words: en, off: new Set(), tools: [], isExpired: () => false } as unknown as Site;

describe('the documents of a site', () => {
  it('are built again by the next request where building them failed', async () => {
    let builds = 0;
    const document: PublishedDocument = {
      path: '/note.txt',
      contentType: 'text/plain; charset=utf-8',
      build: () => {
        builds += 1;
        if (builds === 1) throw new Error('no memory');
        return 'a note';
      },
    };
    const editions = createEditions(SITE, [document]);
    await assert.rejects(editions.get(document, en), /no memory/);
    const [main] = (await editions.get(document, en)) ?? [];
    assert.equal(new TextDecoder().decode(main?.body), 'a note');
    await editions.get(document, en);
    assert.equal(builds, 2);
  });
});
