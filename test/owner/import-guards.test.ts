import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadProfile } from '../../brand/profile/profile.ts';
import { loadServedProfile } from '../../brand/trust/served-profile.ts';
import { writeSheet } from '../../owner/sheet.ts';
import { sign } from '../../owner/sign.ts';
import { check } from '../../server/cli/check.ts';
import { importClaims } from '../../server/cli/exchange.ts';
import { run } from '../cli/command.ts';
import { temporaryFolder } from '../support/folder.ts';
import { NOW, PROFILE, signedBytes } from '../trust/signed-profile.ts';

const HEADINGS = 'claim id,statement,category,applies to,does not apply to,confidence';
const ROW =
  'clm-margin,We lift the gross margin.,prices,Makers of packaged food.,Traders of raw materials.,medium';

/** Imports a file into the profile, and tells what was said and written. */
async function imported(name: string, content: string | Uint8Array, options: { replace?: boolean } = {}) {
  const directory = temporaryFolder();
  const [brand, file] = [join(directory, 'brand.json'), join(directory, name)];
  await writeFile(brand, JSON.stringify(PROFILE));
  await writeFile(file, content);
  const printed = await run(output => importClaims(file, { brand, now: NOW, ...options }, output));
  const written = JSON.parse(await readFile(brand, 'utf8'));
  return { code: printed.code, said: printed.stdout, told: printed.stderr, written };
}

describe('aval import', () => {
  it('names every claim that it changes, before and after, and with --replace every claim that it drops', async () => {
    const { told, written } = await imported('claims.csv', `${HEADINGS}\n${ROW}\n`, { replace: true });
    assert.match(
      told,
      /claim clm-margin: changed\n[\s\S]*- We raise the gross margin by 3\.4 points\.\n {4}\+ We lift the gross margin\./,
    );
    assert.match(told, /claim clm-price: removed\n {2}"statement"\n {4}- A first diagnosis costs 0 euros\./);
    assert.equal(written.claims.length, 1);
  });

  it('speaks to an owner of a Spanish profile of headings, words and figures as the sheet has them', async () => {
    const { at, imports } = await desk({ ...PROFILE, language: 'es' });
    const headings =
      'id;afirmación;categoría;Se aplica a;No se aplica a;confianza;métrica;valor;unidad;id de la prueba;título';
    const row = (value: string, statement: string) =>
      `clm-margin;${statement};precios;Fabricantes.;Particulares.;media;margen;${value};%;;`;
    for (const [content, ...said] of [
      [row('0,92', 'Sube un 0,92 %.'), '"Se aplica a"', '"No se aplica a"', '- alta\n    + media', '+ 0,92'],
      [
        row('0,92', 'Aciertan el 92 %.'),
        'error: fila 2, clm-margin, "valor": dice 0,92 %, y la afirmación dice 92 %',
      ],
      [row('3', 'Tarda 3 semanas.').replace(';%', ';días'), 'dice 3 en otra unidad (semanas)'],
      [`${row('1', 'Sube un 1 %.')}\n"x"y`, 'la fila 3 tiene una comilla fuera de sitio'],
      [';;;;;;;;;prf-9;', 'fila 2, prf-9, "tipo de prueba": falta (rellena la celda)'],
    ]) {
      await writeFile(at('claims.csv'), `${headings}\n${content}\n`);
      const text = await imports('claims.csv').then(({ said: printed }) => printed, String);
      for (const words of said) assert.ok(text.includes(words), `${words}\n${text}`);
      assert.doesNotMatch(
        text.replaceAll(/\bnode .*/g, ''),
        /comillas dobles\)|statement|boundary|metric|[{}]/,
        text,
      );
    }
  });

  it('reads a figure as a spreadsheet shows it, with its unit and its separators', async () => {
    const cells = {
      '45 €': [45, '€'],
      '1.250,50 euros': [1250.5, 'euros'],
      '"1,250.50"': [1250.5],
      '3 a 5': ['3 a 5'],
    };
    for (const [cell, [value, unit]] of Object.entries(cells)) {
      const row = ROW.replace(
        'We lift the gross margin.',
        'It costs 45 € or 1250.50 euros or 3 a 5.',
      ).replaceAll(',', ';');
      const sheet = `${HEADINGS.replaceAll(',', ';')};metric;value;unit\n${row};price;${cell.replaceAll('"', '')};\n`;
      const { told, said, written } = await imported('claims.csv', sheet);
      const [{ metric }] = written.claims;
      assert.deepEqual([metric?.value, metric?.unit], [value, unit], `${cell}: ${said}${told}`);
    }
  });

  it('says by row and column that a figure is written in words', async () => {
    const row = ROW.replace('We lift the gross margin.', 'We work with twelve makers.');
    const { code, said } = await imported('claims.csv', `${HEADINGS},metric,value\n${row},makers,twelve\n`);
    assert.equal(code, 0, said);
    assert.match(said, /warning: row 2, clm-margin, "value": is a figure in words, .* \(write 12\)/);
  });

  it('leaves a signed profile that changed unsigned, and says what comes next', async () => {
    const { at, document, imports } = await desk(JSON.parse(new TextDecoder().decode(await signedBytes())));
    assert.ok((await document()).signatures);
    await writeFile(at('claims.csv'), `${HEADINGS}\n${ROW}\n`);
    const { code, said } = await imports('claims.csv');
    assert.equal(code, 0, said);
    assert.equal((await document()).signatures, undefined);
    assert.match(
      said,
      /The profile is not signed now\. Next: .* check .*brand\.json, then .* sign .*brand\.json/,
    );
  });

  it('names every fault of a sheet by row and column, and changes nothing until none is left', async () => {
    const { at, document, imports } = await desk();
    const rows = [
      ROW.replace('prices', ''),
      ROW.replace('clm-margin', 'clm-two').replace('medium', '=1+1'),
      ROW,
    ];
    await writeFile(at('claims.csv'), `${HEADINGS}\n${rows.join('\n')}\n`);
    const { code, said } = await imports('claims.csv');
    assert.equal(code, 1);
    assert.match(said, /claims\.csv: fault: row 2, clm-margin, "category": is missing \(fill in the cell\)/);
    assert.match(said, /claims\.csv: fault: row 3, "confidence": holds a formula: write its result/);
    assert.match(said, /claims\.csv: fault: row 4, clm-margin, "claim id": used twice/);
    assert.deepEqual(await document(), JSON.parse(JSON.stringify(PROFILE)));
  });
});

describe('a character that nobody sees', () => {
  const HIDDEN = {
    'U+0000': '\0',
    'U+0007': '\x07',
    'U+0085': '\x85',
    'U+202E': '\u202E',
    'U+2066': '\u2066',
  };
  const statement = (character: string) => `We lift ${character} the gross margin.`;

  it('is a fault of import by row and column, and names the character in the language of the profile', async () => {
    for (const [name, character] of Object.entries(HIDDEN)) {
      const sheet = `${HEADINGS}\n${ROW.replace('We lift the gross margin.', statement(character))}\n`;
      const { code, said, written } = await imported('claims.csv', sheet);
      assert.equal(code, 1, name);
      assert.equal(
        said.split('\n').find(line => line.includes('fault')),
        `claims.csv: fault: row 2, clm-margin, "statement": has the character ${name}, which nobody sees (remove it: type the text again, or paste it as plain text)`,
      );
      assert.deepEqual(written, JSON.parse(JSON.stringify(PROFILE)));
    }
  });

  it('is none where it is a tab or a line break', async () => {
    const { code, said } = await imported(
      'claims.csv',
      `${HEADINGS}\n${ROW.replace('We lift', '"We\tlift\nit:').replace('margin.,', 'margin.",')}\n`,
    );
    assert.equal(code, 0, said);
  });

  it('is a fault of check in Spanish and of sign, and a server that has such a signed profile starts with a warning', async () => {
    const [first, ...others] = PROFILE.claims;
    const profile = {
      ...PROFILE,
      language: 'es',
      claims: [{ ...first, statement: statement('\u202E') }, ...others],
    };
    const { at } = await desk(profile);
    const { code, stdout } = await run(output => check(at('brand.json'), { now: NOW }, output));
    assert.equal(code, 1);
    assert.match(stdout, /error: clm-margin, Afirmación: tiene el carácter U\+202E, que no se ve \(quítalo/);
    const signing = await run(output => sign(at('brand.json'), { now: NOW, yes: true }, output));
    assert.equal(signing.code, 1);
    assert.match(signing.stderr, /U\+202E[\s\S]*No se ha firmado nada\./);
    const { warnings } = await loadServedProfile(at('brand.json'), { production: false, now: NOW });
    assert.ok(
      warnings.includes('claims[0].statement: has the character U+202E, which nobody sees'),
      warnings.join('\n'),
    );
  });
});

describe('aval import of a sheet that nobody meant', () => {
  /** Less than this of the processor's time: what grew with the square took minutes. */
  const MOST_SECONDS = 15;
  const measured = async (content: string) => {
    const before = process.cpuUsage();
    const { code, said, told } = await imported('claims.csv', content);
    const { user, system } = process.cpuUsage(before);
    assert.ok((user + system) / 1e6 < MOST_SECONDS, `${(user + system) / 1e6} s`);
    return { code, told, lines: said.trimEnd().split('\n') };
  };

  it('refuses a cell of 1 MB by its row and column, at once', async () => {
    for (const cell of ['x'.repeat(1_048_576), 'a@'.repeat(524_288), '<p>'.repeat(349_525)]) {
      const { code, lines } = await measured(
        `${HEADINGS}\n${ROW.replace('We lift the gross margin.', cell)}\n`,
      );
      assert.equal(code, 1);
      assert.deepEqual(
        lines.filter(line => line.includes(': fault: ')),
        ['claims.csv: fault: row 2, "statement": has more than 10000 characters: shorten it'],
      );
    }
  });

  it('names the first hundred of 30,000 equal rows at once, and counts the others', async () => {
    const { code, lines } = await measured(`${HEADINGS}\n${`${ROW}\n`.repeat(30_000)}`);
    assert.equal(code, 1);
    assert.equal(lines[0], 'claims.csv: fault: claims: is longer than 20000 entries (shorten it)');
    assert.match(lines[1] ?? '', /^claims\.csv: fault: row 3, clm-margin, "claim id": used twice/);
    assert.match(lines[99] ?? '', /^claims\.csv: fault: row 101, /);
    assert.equal(lines[100], '… and 29900 more');
  });

  it('makes an id for each of 19,000 equal statements at once', async () => {
    const { code, told } = await measured(
      `${HEADINGS.replace('claim id,', '')}\n${`${ROW.replace('clm-margin,', '')}\n`.repeat(19_000)}`,
    );
    assert.equal(code, 0);
    assert.match(told, /19000 ids made from the words/);
  });
});

/** A profile in a folder, which editors export from and import into. */
async function desk(profile: object = PROFILE) {
  const directory = temporaryFolder();
  const brand = join(directory, 'brand.json');
  await writeFile(brand, JSON.stringify(profile));
  const at = (name: string) => join(directory, name);
  return {
    at,
    brand,
    document: async () => JSON.parse(await readFile(brand, 'utf8')),
    exported: async (name: string) => {
      const loaded = await loadProfile(brand);
      await writeFile(at(name), writeSheet(loaded.profile));
    },
    async imports(name: string, options: { replace?: boolean } = {}) {
      const { code, stdout, stderr } = await run(output =>
        importClaims(at(name), { brand, now: NOW, ...options }, output),
      );
      return { code, said: stdout + stderr };
    },
  };
}

describe('an export that nobody touched', () => {
  const [first, ...others] = PROFILE.claims;
  const { name, ...figure } = first?.metric ?? {};
  const spaced = {
    ...first,
    category: ' prices ',
    metric: { ...figure, name, baseline: '45 €', window: 'In 2025\n- and 2026' },
  };

  it('changes nothing and says so, whatever the order of members, the spaces and the figures that are text', async () => {
    for (const language of ['es', 'en']) {
      const before = { ...PROFILE, language, claims: [spaced, ...others] };
      const { exported, imports, document } = await desk(before);
      await exported('claims.csv');
      const { said } = await imports('claims.csv');
      assert.match(said, /(?:cambiadas: 0, como antes: 2|0 changed, 2 as before)/);
      assert.match(said, /(?:Nada ha cambiado|Nothing changed)/);
      assert.equal(JSON.stringify(await document()), JSON.stringify(before));
    }
  });

  it('and of which one cell was changed changes that member alone', async () => {
    const { at, exported, imports, document } = await desk({ ...PROFILE, claims: [spaced, ...others] });
    await exported('claims.csv');
    const sheet = await readFile(at('claims.csv'), 'utf8');
    await writeFile(at('claims.csv'), sheet.replace('Makers of packaged food', 'Makers of canned food'));
    const { said } = await imports('claims.csv');
    assert.match(said, /1 changed, 1 as before/);
    const [changed] = (await document()).claims;
    assert.match(changed.boundary.applicable_for, /canned/);
    assert.deepEqual({ ...changed, boundary: first?.boundary }, JSON.parse(JSON.stringify(spaced)));
  });
});

describe('a sheet in Spanish', () => {
  const spanish = { ...PROFILE, language: 'es' };

  it('goes out as Excel in Spanish opens it: semicolons, decimal commas, Spanish words; and comes in the same', async () => {
    const { at, exported, imports, document } = await desk(spanish);
    await exported('claims.csv');
    const [headings = '', row = ''] = (await readFile(at('claims.csv'), 'utf8')).split('\n');
    assert.match(headings, /^\uFEFF"id de la afirmación";"afirmación";/);
    assert.match(row, /^"clm-margin";.*;"3,4";/);
    assert.match(row, /;"(alta|media|baja)";/);
    const { said } = await imports('claims.csv');
    assert.match(said, /2 afirmaciones \(nuevas: 0, cambiadas: 0, como antes: 2\), \d pruebas?, 0 errores/);
    assert.deepEqual(await document(), JSON.parse(JSON.stringify(spanish)));
  });
});
