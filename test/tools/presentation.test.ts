import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newProfile } from '../../owner/new-profile.ts';
import type { ServedBrand } from '../../server/run/load-brand.ts';
import { TOOLS } from '../../tools/index.ts';
import { request, send } from '../mcp/mcp-messages.ts';
import { served } from '../pages/three-brands.ts';
import { exampleBrand } from '../support/example.ts';
import { bodyOf, startApp } from '../support/support.ts';

/** A brand that is made as `aval init` makes it, with changes. */
async function otherBrand(changes: object = {}): Promise<ServedBrand> {
  const made = newProfile({
    name: 'Faro Alto',
    url: 'https://faro.example',
    language: 'en',
    actions: 'none',
    now: new Date(),
  });
  return served({ ...made, ...changes });
}

/** Everything that an MCP client is told before it calls a tool. */
async function told(url: string) {
  const { result: hello } = await send(url, request('initialize'));
  const { result: list } = await send(url, request('tools/list'));
  const descriptor = await bodyOf(await fetch(`${url}/mcp`));
  return { hello, tools: list.tools, descriptor, text: JSON.stringify([hello, list, descriptor]) };
}

function toolNamed(tools: readonly { name: string; title: string; description: string }[], name: string) {
  const tool = tools.find(candidate => candidate.name === name);
  assert.ok(tool, name);
  return tool;
}

describe('a client of MCP', () => {
  it('is told whose server this is: title, instructions, tools and descriptor name the brand', async t => {
    const { url } = await startApp(t, {
      brand: await otherBrand({ description: 'We keep ships off the northern rocks. And more.' }),
    });
    const { hello, tools, descriptor, text } = await told(url);
    assert.deepEqual([hello.serverInfo.name, hello.serverInfo.title], ['aval', 'Faro Alto']);
    assert.equal(hello.serverInfo.description, 'We keep ships off the northern rocks');
    assert.match(hello.instructions, /^Ask about Faro Alto with ask_brand\b/);
    assert.match(hello.instructions, /We keep ships off the northern rocks\./);
    assert.equal(toolNamed(tools, 'ask_brand').title, 'Ask Faro Alto');
    for (const { title, description } of tools)
      assert.ok([title, description].every(words => /Faro Alto/.test(words)));
    assert.deepEqual(
      [descriptor.title, descriptor.description],
      ['Faro Alto', 'We keep ships off the northern rocks'],
    );
    assert.doesNotMatch(text, /Norte|consultancy/i);
  });

  it('sees the mode in force in the descriptions, and no limit, which no model acts on', async t => {
    const { url } = await startApp(t);
    const diagnostic = toolNamed((await told(url)).tools, 'request_diagnostic');
    assert.match(diagnostic.description, /dry run/);
    assert.doesNotMatch(diagnostic.description, /per client/);
    assert.ok(TOOLS.every(({ description }) => !description.includes('dry run')));
  });
});

describe('a profile that has expired', () => {
  it('is marked wherever its claims are shown, invites no question and has no security.txt', async t => {
    const brand = await exampleBrand();
    const { url, clock } = await startApp(t, {
      brand,
      env: { SECURITY_CONTACT: 'mailto:security@norteclaro.example' },
    });
    const page = async (path: string) =>
      (await fetch(url + path, { headers: { accept: 'text/html, text/markdown' } })).text();
    const mark = /Este perfil ha caducado/;
    const places = ['/', '/claims', '/claims?q=precio', '/index.md'];
    for (const path of places) assert.doesNotMatch(await page(path), mark, path);
    assert.match(await page('/llms.txt'), /to answer a question/);
    assert.match(await page('/.well-known/security.txt'), /^Preferred-Languages: es$/m);
    clock.advance((Date.parse(brand.profile.expires_at) - clock.now()) / 1000);
    for (const path of places) assert.match(await page(path), mark, path);
    for (const path of ['/llms.txt', '/AGENTS.md']) {
      const text = await page(path);
      assert.match(text, /The brand profile has expired/, path);
      assert.doesNotMatch(text, /to answer a question|ask\?q=%/, path);
    }
    assert.equal((await fetch(`${url}/.well-known/security.txt`)).status, 404);
  });
});
