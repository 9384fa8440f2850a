// contract: 8.2
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkDeprecations, deprecationHeaders } from '../rest/deprecations.ts';

describe('a deprecated version', () => {
  const announced = new Date('2027-01-11T00:00:00Z');
  const row = { prefix: '/api/v1', announced, notice: 'https://acme.example/docs/deprecations/v1' };
  const sunset = new Date('2027-07-10T00:00:00Z');

  it('says since when, until when and where the notice stands', () => {
    assert.deepEqual(deprecationHeaders('/api/v1/status', [{ ...row, sunset }]), {
      deprecation: '@1799625600',
      sunset: 'Sat, 10 Jul 2027 00:00:00 GMT',
      link: '<https://acme.example/docs/deprecations/v1>; rel="deprecation"; type="text/html"',
    });
    for (const path of ['/api/v2/status', '/api/v10', '/ask'])
      assert.deepEqual(deprecationHeaders(path, [{ ...row, sunset }]), {});
  });

  it('takes the aliases along that are pinned to it', () => {
    for (const path of ['/api/contact', '/api/partners'])
      assert.equal(deprecationHeaders(path, [{ ...row, sunset }]).deprecation, '@1799625600', path);
  });

  it('keeps working for at least 180 days', () => {
    checkDeprecations([{ ...row, sunset }]);
    const hasty = new Date('2027-07-09T23:59:59Z');
    assert.throws(() => checkDeprecations([{ ...row, sunset: hasty }]), /180 days/);
  });

  it('is none today', () => {
    for (const path of ['/ask', '/api/v1/status', '/api/v1/contact', '/mcp'])
      assert.deepEqual(deprecationHeaders(path), {});
  });
});
