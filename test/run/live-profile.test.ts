import assert from 'node:assert/strict';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { addToKeySet, createPrivateKey } from '../../brand/trust/keys.ts';
import { signedText } from '../../brand/trust/signature.ts';
import { readConfig } from '../../server/config/config.ts';
import type { Log } from '../../server/config/log.ts';
import { loadBrand } from '../../server/run/load-brand.ts';
import { Server } from '../../server/run/server.ts';
import { dataFolder, exampleModel } from '../support/example.ts';
import { temporaryFolder } from '../support/folder.ts';
import { EXAMPLE } from '../support/support.ts';

const QUESTION = '/ask?q=cu%C3%A1nto%20cuesta%20el%20diagn%C3%B3stico';

/** A signed copy of the example that can be changed and signed again. */
async function signedCopy() {
  const folder = temporaryFolder();
  const key = await createPrivateKey();
  const [brandFile, jwksFile] = [join(folder, 'brand.json'), join(folder, 'brand.jwks.json')];
  await writeFile(jwksFile, await addToKeySet([key]));
  const publish = async (text: string) => {
    await writeFile(`${brandFile}.new`, text);
    await rename(`${brandFile}.new`, brandFile);
  };
  const publishPrice = async (price: string) => {
    const profile = structuredClone(EXAMPLE);
    const claim = profile.claims.find((one: { claim_id: string }) => one.claim_id === 'clm-diagnostic-price');
    claim.statement = claim.statement.replace('7.900', price);
    await publish(await signedText(profile, [key]));
  };
  await publishPrice('7.900');
  return { env: { BRAND_FILE: brandFile, BRAND_JWKS: jwksFile }, publish, publishPrice, key };
}

/** A server of that copy, its reload, and what that logs. */
async function start(t: TestContext) {
  const { env, ...copy } = await signedCopy();
  const log: string[] = [];
  const config = readConfig({ PORT: '0', DATA_DIR: dataFolder(), ...env, LIMITS: 'default=1000000/60' });
  const load = () => loadBrand(config, () => {}, { model: exampleModel() });
  const logReload: Log = (level, event) => {
    if (event === 'reload') log.push(`${level} ${event}`);
  };
  const server = new Server(config, logReload, { load });
  t.after(() => server.close());
  const url = await server.start();
  return { ...copy, url, reload: () => server.reload(), log };
}

describe('a reload under load', () => {
  it('fails no request, and every answer is the old one or the new one, never the old after the new', async t => {
    const { url, reload, log, publishPrice } = await start(t);

    let isDone = false;
    let isReloaded = false;
    const answers: string[] = [];
    const later: string[] = [];
    const client = async () => {
      while (!isDone) {
        const isLate = isReloaded;
        const response = await fetch(url + QUESTION);
        assert.equal(response.status, 200);
        const { matches } = (await response.json()) as { matches: { statement: string }[] };
        const price = /cuesta ([\d.]+) euros/.exec(matches[0]?.statement ?? '')?.[1] ?? 'none';
        answers.push(price);
        if (isLate) later.push(price);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    const status = () => fetch(`${url}/api/v1/status`).then(response => response.arrayBuffer());
    while (answers.length === 0) await status();
    await publishPrice('8.100');
    await reload();
    isReloaded = true;
    while (later.length < 50) await status();
    isDone = true;
    await Promise.all(clients);

    assert.deepEqual([...new Set(answers)].toSorted(), ['7.900', '8.100']);
    assert.deepEqual([...new Set(later)], ['8.100'], 'what is asked after the reload');
    assert.equal(log.length, 1);
  });

  it('of a broken file changes nothing and is logged once', async t => {
    const { url, reload, log, publish } = await start(t);
    const before = await (await fetch(url + QUESTION)).text();

    for (const broken of ['{', JSON.stringify(EXAMPLE).replace('7.900', '1.000')]) {
      log.length = 0;
      await publish(broken);
      await reload();
      assert.equal(await (await fetch(url + QUESTION)).text(), before);
      assert.deepEqual(log, ['error reload']);
    }
  });

  it('of a profile with a logo address that no browser opens is logged by its name', async () => {
    const { env, publish, key } = await signedCopy();
    const logos = [{ url: 'https://acme.example:99999/logo.png' }];
    await publish(await signedText({ ...structuredClone(EXAMPLE), logos }, [key]));
    const warnings: unknown[] = [];
    const log: Log = (level, _event, fields) => {
      if (level === 'warn') warnings.push(fields?.warning);
    };
    await loadBrand(readConfig({ DATA_DIR: dataFolder(), ...env }), log, { model: exampleModel() });
    assert.match(warnings.join('\n'), /logos\[0\]\.url: must be an http or https address/);
  });
});
