import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bandOf } from '../brand/retrieval/similarity.ts';

describe('a similarity', () => {
  it('answers from 0.8, is near from 0.2, and is possible below', () => {
    const bands = [1, 0.8, 0.7999, 0.2, 0.1999, 0].map(bandOf);
    assert.deepEqual(bands, ['answers', 'answers', 'nearest', 'nearest', 'possible', 'possible']);
  });
});
