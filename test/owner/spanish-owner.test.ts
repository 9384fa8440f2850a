import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { messageOf } from '../../owner/error-message.ts';
import { sign } from '../../owner/sign.ts';
import { check } from '../../server/cli/check.ts';
import { exportClaims, importClaims } from '../../server/cli/exchange.ts';
import { run, terminal } from '../cli/command.ts';
import { NOW } from '../trust/signed-profile.ts';
import { CLAIM, PROOF, profileFolder, startStudio } from './studio-support.ts';

/** Words that only English has, and members of the profile's JSON; names of files and options are none. */
const ENGLISH =
  /(?<![\w./-])(?:the|is|and|with|then|not|of|claims?|proofs?|faults?|warnings?|removed|changed|added|signed|nothing|statement|boundary|category|confidence|client|metric)(?![\w./-])|\[\d\]/i;

const HIDDEN = { ...PROOF, client: 'Grupo Valdecuervo, S.L.', confidentiality: 'confidential' };

describe('an owner of a Spanish profile', () => {
  it('reads Spanish alone of check, sign, export and import, with the labels of the forms for members', async () => {
    const { path, read, write } = await profileFolder();
    const before = JSON.stringify({ ...(await read()), proofs: [HIDDEN] });
    const changed = { ...CLAIM, statement: 'Una sesión individual cuesta 48 euros.', proof_ids: ['prf-1'] };
    await write({
      ...(await read()),
      contact: { phone: '976 000 000' },
      proofs: [HIDDEN],
      claims: [changed, { ...CLAIM, claim_id: 'clm-2', confidence: 'high' }],
    });
    const brand = path('brand.json');
    const said: string[] = [];
    const told = async (command: Parameters<typeof run>[0]) => {
      const { stdout, stderr } = await run(command);
      const text = (stdout + stderr).replaceAll(brand, 'FILE');
      said.push(text);
      return text;
    };
    const asks = (text: string, since?: Uint8Array) =>
      told(output =>
        sign(brand, { now: NOW, ...(since && { since }) }, { ...output, stdin: terminal([text]).stdin }),
      );
    assert.match(
      await told(output => check(brand, { now: NOW }, output)),
      /clm-2, ¿Cuánta seguridad tienes\?: dice alta/,
    );
    assert.match(await asks('n', Buffer.from(before)), /afirmación clm-session: cambiada\n {2}Afirmación\n/);
    assert.match(await asks('s'), /¿Firmar .*\? \[s\/N\] .*firmado, válido hasta/s);
    await told(output => exportClaims(path('claims.csv'), { brand }, output));
    const sheet = await readFile(path('claims.csv'), 'utf8');
    await writeFile(
      path('claims.csv'),
      sheet.replace('Visitas a domicilio', 'Visitas a casa').replace(/"prf-1";.*/, ''),
    );
    await told(output => importClaims(path('claims.csv'), { brand, now: NOW, replace: true }, output));
    const text = await readFile(brand, 'utf8');
    await writeFile(brand, text.slice(0, text.lastIndexOf(']')));
    await told(output => check(brand, { now: NOW }, output));
    await asks('s');
    const error = await run(output => importClaims(path('claims.csv'), { brand }, output)).catch(messageOf);
    assert.match(String(error), /brand\.json:\d+: error: .*(?:sin su|falta una coma)/);
    for (const text of [...said, String(error)])
      for (const line of text.split('\n'))
        assert.doesNotMatch(line.replaceAll(/(?:aval|node) .*/g, ''), ENGLISH, text);
  });

  it('reads the same of sign as of check, and proofs and questions by their names', async () => {
    const { path, read, write } = await profileFolder();
    const questions = [{ text: '¿Cuánto?', claim_id: 'clm-9' }];
    await write({ ...(await read()), proofs: [{ ...HIDDEN, title: 7 }], questions });
    const brand = path('brand.json');
    const faults = (text: string) => text.split('\n').filter(line => line.includes(': error: '));
    const checked = await run(output => check(brand, { now: NOW }, output));
    const signing = await run(output => sign(brand, { now: NOW, yes: true }, output));
    assert.deepEqual([checked.code, signing.code], [1, 1]);
    assert.deepEqual(faults(signing.stderr), faults(checked.stdout));
    assert.match(checked.stdout, /: prf-1, Título: debe ser un texto/);
    assert.match(checked.stdout, /: pregunta «¿Cuánto\?», La responde: no existe esa afirmación/);
  });

  it('reads in the studio, in Spanish, what is wrong with a file that an editor broke', async t => {
    const { path } = await profileFolder();
    const { call, notes } = await startStudio(t, path);
    await writeFile(path('brand.json'), '{"language": "es", "claims": [');
    const { es } = JSON.parse(await (await call('state')).text());
    assert.match(es, /^brand\.json:1: error: Afirmaciones: /);
    assert.doesNotMatch(es, ENGLISH);
    assert.deepEqual(notes, [es]);
  });
});
