import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWebAddress } from '../../brand/profile/web-address.ts';

describe('an address with letters beyond ASCII', () => {
  it('is one however often such addresses are read', () => {
    const refused = Array.from({ length: 20_000 }, () => isWebAddress('https://peñón.example')).indexOf(
      false,
    );
    assert.equal(refused, -1);
    assert.equal(isWebAddress('https://peñón .example'), false);
  });
});
