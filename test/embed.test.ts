import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { embed } from '../server/cli/operate/embed.ts';
import { startApp } from './support.ts';

describe('/embed.js', () => {
  it('is one script of less than 10 KB that any page may load, with the hash that aval embed prints', async t => {
    const { url } = await startApp(t);
    const response = await fetch(`${url}/embed.js`);
    const script = await response.text();
    assert.equal(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.ok(script.length < 10_000, `${script.length} bytes`);
    const written: string[] = [];
    const output = { write: (text: string) => written.push(text) > 0 };
    embed({ BASE_URL: 'https://api.acme.example' }, { stdout: output, stderr: output });
    const hash = createHash('sha384').update(script).digest('base64');
    assert.ok(written[0]?.includes(`src="https://api.acme.example/embed.js" integrity="sha384-${hash}"`));
    assert.match(written.join(''), /ALLOWED_ORIGINS/);
  });

  it('is not there where it is switched off', async t => {
    const { url } = await startApp(t, { env: { PUBLISH_OFF: 'embed' } });
    assert.equal((await fetch(`${url}/embed.js`)).status, 404);
  });
});
