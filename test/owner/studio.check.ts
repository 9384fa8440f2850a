import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import {
  type BrowserOptions,
  openBrowser,
  resize,
  SKIP,
  violationsInWindows,
  WINDOWS,
} from '../pages/browser-support.ts';
import { nodeArguments, startNode } from '../support/child.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServerProcess } from '../support/server-process.ts';
import { CLAIM, PROOF, profileFolder, startStudio } from './studio-support.ts';

/** With SCREENSHOTS=1 the pages are kept in docs/screenshots/. */
const keep = process.env.SCREENSHOTS === '1';

const VIEWS = ['brand', 'claims', 'claims/0', 'proofs/0', 'actions', 'ask', 'questions', 'asked', 'sign'];

/** A studio on the profile of that folder, in a window. */
async function openPage(t: TestContext, path: (name: string) => string, options: BrowserOptions = {}) {
  const studio = await startStudio(t, path);
  const window = await openBrowser(t, options);
  await window.page.goto(studio.url);
  return { ...studio, ...window };
}

async function openView(page: Page, view: string): Promise<void> {
  await page.evaluate(`location.hash = '#${view}'`);
  await page.waitForSelector(`main[data-view="${view.split('/')[0]}"]`);
  await page.waitForLoadState('networkidle');
}

describe('the studio in every window and colour scheme', SKIP, () => {
  it('has nothing that axe-core finds, fits the window and complains of nothing, in Spanish and English', async t => {
    const { path, read, write } = await profileFolder([
      {
        claim_id: 'clm-1',
        statement: `Dura ${'x'.repeat(400)} 50 minutos. <script>alert(1)</script>`,
        proof_ids: ['none'],
      },
      CLAIM,
    ]);
    await write({
      ...(await read()),
      proofs: [PROOF],
      questions: [{ text: '¿Cuánto cuesta?', claim_id: CLAIM.claim_id }],
    });
    const { page, done, faults } = await openPage(t, path);
    await done('question', { query: '¿Tenéis descuento?', relevant: [CLAIM.claim_id] });
    await page.waitForSelector('#list');
    for (const lang of ['es', 'en']) {
      if (lang === 'en') await page.click('header button[lang="en"]');
      for (const view of VIEWS) {
        await openView(page, view);
        if (view === 'ask') {
          await page.fill('#ask', '¿Cuánto cuesta una sesión?');
          await page.keyboard.press('Enter');
          await page.waitForSelector('#answer li');
        }
        assert.deepEqual(await violationsInWindows(page), [], `${view} ${lang}`);
      }
    }
    assert.deepEqual(faults, []);
    for (const window of keep ? WINDOWS : []) {
      await resize(page, window);
      await openView(page, 'claims/1');
      await page.screenshot({ path: `docs/screenshots/studio-${window.width}-${window.colorScheme}.png` });
    }
  });
});

describe('The studio on a phone', SKIP, () => {
  it('has a head of a name and one line of tabs, and the page that is open is in view there', async t => {
    const { path } = await profileFolder();
    const { page } = await openPage(t, path, { width: 390 });
    for (const view of ['brand', 'ask', 'sign']) {
      await openView(page, view);
      const [main, tab] = await Promise.all(
        ['main', 'nav [aria-current]'].map(target => page.locator(target).boundingBox()),
      );
      assert.ok(main && main.y <= 150, `${view}: ${main?.y}`);
      assert.ok(tab && tab.x >= 0 && tab.x + tab.width <= 390, `${view}: ${tab?.x}`);
    }
  });
});

describe('Undo in the studio', SKIP, () => {
  it('takes back a text of the brand and of a claim', async t => {
    const { path, read } = await profileFolder();
    const { page, faults } = await openPage(t, path);
    const before = await read();
    for (const [view, said, typed] of [
      ['brand', 'https://fisio.example', 'https://otra.example'],
      ['claims/0', CLAIM.statement, 'Una sesión cuesta 50 euros.'],
    ] as const) {
      await openView(page, view);
      const fields = page.locator('main input, main textarea');
      const values = await fields.evaluateAll(all => all.map(one => ('value' in one ? one.value : '')));
      const field = fields.nth(values.indexOf(said));
      await saved(page, () => field.fill(typed));
      assert.notDeepEqual(await read(), before, view);
      const undone = page.waitForResponse(response => response.url().endsWith('/api/state'));
      await page.click('#undo');
      await undone;
      assert.deepEqual(await read(), before, view);
    }
    assert.deepEqual(faults, []);
  });
});

/** Does something on the page and waits until the desk has saved it. */
async function saved(page: Page, work: () => Promise<unknown>): Promise<void> {
  const answer = page.waitForResponse(response => response.url().endsWith('/api/edit'));
  await work();
  await answer;
}

describe('An id in the studio', SKIP, () => {
  const twin = { ...CLAIM, statement: 'Una sesión de grupo cuesta 20 euros.' };

  it('is never that of another claim: the field says so and nothing is saved', async t => {
    const { path, read } = await profileFolder([CLAIM, { ...twin, claim_id: 'clm-2' }]);
    const { page, faults } = await openPage(t, path);
    await openView(page, 'claims/clm-2');
    await page.fill('#f-claims-1-claim_id', CLAIM.claim_id);
    assert.match(String(await page.textContent('#f-claims-1-claim_id-note')), /Este id ya es de otra/);
    await saved(page, () => page.fill('#f-claims-1-category', 'grupos'));
    assert.deepEqual(
      (await read()).claims.map(({ claim_id, category }: typeof CLAIM) => [claim_id, category]),
      [
        [CLAIM.claim_id, 'precios'],
        ['clm-2', 'grupos'],
      ],
    );
    assert.equal(await page.locator('.conflict').count(), 0);
    assert.deepEqual(faults, []);
  });

  it('that two claims of a file share is mended there, and Undo takes it back', async t => {
    const { path, read } = await profileFolder([CLAIM, twin]);
    const { page, faults } = await openPage(t, path);
    const before = await read();
    await openView(page, 'claims/1');
    await page.waitForSelector('#f-claims-1-claim_id-findings .fault');
    await saved(page, () => page.fill('#f-claims-1-claim_id', 'clm-grupo'));
    assert.equal((await read()).claims[1].claim_id, 'clm-grupo');
    await saved(page, () => page.click('#undo'));
    assert.deepEqual(await read(), before);
    assert.equal(await page.locator('.conflict').count(), 0);
    assert.deepEqual(faults, []);
  });
});

describe('A name in the studio', SKIP, () => {
  it('that is changed or removed takes its links along, and one Undo brings all back', async t => {
    const other = { ...CLAIM, claim_id: 'clm-2', statement: 'Una sesión de grupo cuesta 20 euros.' };
    const { path, read, write } = await profileFolder([{ ...CLAIM, proof_ids: [PROOF.proof_id] }, other]);
    const asks = (text: string, claim_id: string) => ({ text, claim_id });
    const questions = [
      asks('¿Cuánto?', CLAIM.claim_id),
      asks('¿Y en grupo?', 'clm-2'),
      asks('¿Y sola?', CLAIM.claim_id),
    ];
    await write({ ...(await read()), proofs: [PROOF], questions });
    const { page, done, faults } = await openPage(t, path);
    const query = '¿Cuánto vale?';
    await done('question', { query, relevant: [CLAIM.claim_id] });
    await page.reload();
    const own = async () => (await done('questions')).rows[0].relevant;
    const before = JSON.stringify(await read());
    for (const [view, field, id, links] of [
      [
        'claims/0',
        '#f-claims-0-claim_id',
        CLAIM.claim_id,
        async () => [...(await read()).questions.map(claimOf), ...(await own())],
      ],
      ['proofs/0', '#f-proofs-0-proof_id', PROOF.proof_id, async () => (await read()).claims[0].proof_ids],
    ] as const) {
      await openView(page, view);
      await saved(page, () => page.fill(field, 'nueva-1'));
      assert.ok((await links()).includes('nueva-1') && !(await links()).includes(id), `${await links()}`);
      await saved(page, () => page.click('#undo'));
      assert.equal(JSON.stringify(await read()), before);
      await page.fill(field, '');
      assert.match(String(await page.textContent(`${field}-note`)), /Vacío no se guarda/);
      await openView(page, 'sign');
      await openView(page, view);
      await saved(page, () => page.click('button:text("Quitar")'));
      await page.waitForSelector('#status:has-text("todo lo que la nombra")');
      assert.ok(!JSON.stringify(await read()).includes(`"${id}"`));
      await saved(page, () => page.click('#undo'));
      assert.equal(JSON.stringify(await read()), before);
    }
    assert.deepEqual(await own(), [CLAIM.claim_id]);
    assert.deepEqual(faults, []);
  });
});

const claimOf = ({ claim_id }: { claim_id: string }) => claim_id;

describe('What is typed on the page Requests', SKIP, () => {
  it('is in the file at once, whole or not, and Undo takes it back; unwritten it is offered to nobody', async t => {
    const { path, read, write } = await profileFolder();
    const before = JSON.stringify((await read()).actions);
    const { page, faults } = await openPage(t, path);
    await openView(page, 'actions');
    for (const [member, text, value] of [
      ['request_diagnostic-reply_hours', '24', 24],
      ['apply_partner_program-words-es-title', 'Trabaja con nosotros', 'Trabaja con nosotros'],
      ['apply_partner_program-words-es-levels-1', 'Socio', 'Socio'],
    ] as const) {
      await saved(page, () => page.fill(`#f-actions-${member}`, text));
      assert.equal(
        member.split('-').reduce((part, name) => part[name], (await read()).actions),
        value,
      );
    }
    await page.reload();
    await page.waitForSelector('#f-actions-apply_partner_program-words-es-purpose-findings .fault');
    assert.equal(await page.inputValue('#f-actions-request_diagnostic-reply_hours'), '24');
    assert.equal(await page.isDisabled('#apply_partner_program .offer'), true);
    await openView(page, 'sign');
    await page.waitForSelector('#signed');
    await page.click('.findings a:has-text("Solicitud de colaboración")');
    await page.waitForSelector('main[data-view="actions"]');
    const title = page.locator('#f-actions-request_diagnostic-reply_hours');
    const half = JSON.stringify((await read()).actions);
    await saved(page, () => title.fill('12'));
    await saved(page, () => page.click('#undo'));
    assert.equal(JSON.stringify((await read()).actions), half);
    assert.notEqual(half, before);
    const { actions: _, ...undecided } = await read();
    await write(undecided);
    await openView(page, 'actions');
    await page.reload();
    await page.waitForSelector('#apply_partner_program .withdraw');
    await saved(page, () => title.fill('12'));
    assert.equal((await read()).actions.apply_partner_program.enabled, true);
    await saved(page, () => page.click('#undo'));
    assert.deepEqual(await read(), undecided);
    assert.deepEqual(faults, []);
  });
});

describe('The page Sign of the studio', SKIP, () => {
  it('shows a date that has passed, names its buttons, and tells what changed in the words of the forms', async t => {
    const { path, read, write } = await profileFolder([{ ...CLAIM, confidence: 'high' }]);
    await write({ ...(await read()), expires_at: '2026-01-01T00:00:00Z', proofs: [PROOF] });
    const { page, faults } = await openPage(t, path);
    const [year, same] = [
      page.locator('button:text("válido un año")'),
      page.locator('button:text("como antes")'),
    ];
    await openView(page, 'sign');
    await page.waitForSelector('.findings .fault:has-text("caducó")');
    assert.match(
      String(await page.textContent('main')),
      /Firma el perfil de nuevo, válido un año: «Firmar, válido un año»\./,
    );
    assert.match(String(await page.textContent('main')), /ninguna afirmación la nombra/);
    assert.deepEqual([await year.isDisabled(), await same.isDisabled()], [false, true]);
    assert.match(String(await same.textContent()), /1 de enero de 2026/);
    await year.click();
    await page.waitForSelector('#signed:has-text("texto está firmado")');
    assert.doesNotMatch(String(await page.textContent('main')), /antes de firmar|caducó/);
    assert.match(String(await same.textContent()), /22 de noviembre de 2027/);
    await openView(page, 'claims/0');
    await page.fill('#f-claims-0-boundary-not_applicable_for', 'Solo visitas a domicilio.');
    await page.selectOption('#f-claims-0-confidence', 'medium');
    await saved(page, () => page.check('#f-claims-0-proof_ids-0'));
    await openView(page, 'sign');
    await page.waitForSelector('.cards');
    const changed = String(await page.textContent('.cards'));
    for (const line of [
      'No se aplica a: «Visitas',
      '«Alta» pasa a «Media»',
      `Pruebas: Nuevo: «${PROOF.title}»`,
    ])
      assert.ok(changed.includes(line), `${line}: ${changed}`);
    assert.doesNotMatch(changed, /Se aplica a: «Personas|medium|prf-1/);
    assert.deepEqual(faults, []);
  });
});

describe('A text that is too long', SKIP, () => {
  it('is kept whole, with how many characters are too many beside the field; a question is not sent', async t => {
    const { path, read } = await profileFolder();
    const { page, faults } = await openPage(t, path);
    await openView(page, 'claims/0');
    const long = 'x'.repeat(2037);
    await page.focus('#f-claims-0-statement');
    await page.keyboard.press('ControlOrMeta+A');
    await saved(page, () => page.keyboard.insertText(long));
    assert.equal(
      await page.textContent('#f-claims-0-statement-note'),
      'Caracteres de más: 37 (máximo 2.000).',
    );
    assert.equal((await read()).claims[0].statement, long);
    await page.reload();
    await page.waitForSelector('#f-claims-0-statement-note:has-text("37")');
    await saved(page, () => page.fill('#f-claims-0-statement', CLAIM.statement));
    assert.equal(await page.textContent('#f-claims-0-statement-note'), '');
    for (const [view, field] of [
      ['ask', '#ask'],
      ['questions', '#q-new'],
    ] as const) {
      await openView(page, view);
      await page.focus(field);
      await page.keyboard.insertText(long);
      await page.keyboard.press('Enter');
      assert.equal(await page.inputValue(field), long);
      assert.match(String(await page.textContent(`${field}-note`)), /37/);
    }
    assert.equal(await page.textContent('#alerts'), '');
    assert.deepEqual(faults, []);
  });
});

describe('The answer to a question in the studio', SKIP, () => {
  it('that was marked as right by mistake is taken back in its place', async t => {
    const other = { ...CLAIM, claim_id: 'clm-2', statement: 'Una sesión de grupo cuesta 20 euros.' };
    const { path } = await profileFolder([CLAIM, other]);
    const { page, done, faults } = await openPage(t, path);
    const kept = async () =>
      (await done('questions')).rows.map(({ relevant }: { relevant: string[] }) => relevant);
    const query = '¿Cuánto cuesta una sesión?';
    const press = async (button: string) => {
      const answer = page.waitForResponse(response => response.url().endsWith('/api/question'));
      await page.click(button);
      await answer;
    };
    for (const before of [[], [[other.claim_id]]]) {
      for (const relevant of before) await done('question', { query, relevant });
      await openView(page, 'claims');
      await openView(page, `ask/${encodeURIComponent(query)}`);
      await page.waitForSelector('#answer li');
      await press('#answer li button:text("Esta es la correcta")');
      await page.waitForSelector('#answer button:text("Deshacer")');
      await press('button:text("Ninguna es correcta")');
      assert.deepEqual(await kept(), [[]]);
      assert.equal(await page.locator('#answer button:text("Deshacer")').count(), 1);
      await press('#answer button:text("Deshacer")');
      await page.waitForSelector('#answer button:text("Deshacer")', { state: 'detached' });
      assert.deepEqual(await kept(), before);
    }
    assert.deepEqual(faults, []);
  });
});

/** An invented music school, as its owner writes it down. */
const STATEMENTS = [
  'La clase individual de instrumento dura 45 minutos, una vez por semana.',
  'Damos clase de instrumento a partir de 6 años.',
  'Alquilamos violines y guitarras por 12 euros al mes.',
  'Recuperamos la clase si avisas 24 horas antes.',
  'No devolvemos el importe de las clases a las que no vienes.',
  'La clase individual de piano, violín o guitarra cuesta 68 euros al mes.',
  'El coro infantil es gratuito para los alumnos de instrumento.',
  'La matrícula cuesta 30 euros y se paga una vez por curso.',
];

const FORM = {
  title: 'Pide plaza',
  purpose: 'Dinos qué instrumento y qué edad.',
  context: 'Instrumento, edad y horario que te va bien.',
  thanks: 'Hemos recibido tu petición.',
};

describe('an owner', SKIP, () => {
  it('comes from eight bare statements to an answer of a server, without JSON or a text editor', async t => {
    const started = Date.now();
    const directory = temporaryFolder();
    const env = { DATA_DIR: join(directory, 'data'), ENCODER: 'auto' };
    const aval = nodeArguments('server/cli.ts');
    const init = [
      'init',
      '--name',
      'Escuela Cadencia',
      '--url',
      'https://cadencia.example',
      '--language',
      'es',
    ];
    await startNode(t, [...aval, ...init, '--actions', 'none'], { cwd: directory, env }).ended;
    const { signatures: _, ...brand } = JSON.parse(readFileSync(join(directory, 'brand.json'), 'utf8'));
    const claims = STATEMENTS.map((statement, at) => ({
      claim_id: `clm-${at + 1}`,
      statement,
      proof_ids: [],
    }));
    writeFileSync(join(directory, 'brand.json'), JSON.stringify({ ...brand, claims, proofs: [] }));

    const studio = startNode(t, [...aval, 'studio'], { cwd: directory, env });
    const address = await studio.until('stdout', /http\S+/);
    const { page, faults } = await openBrowser(t);
    const hand = { clicks: 0, fields: 0 };
    const click = async (target: string) => {
      hand.clicks += 1;
      await page.click(target);
    };
    const fill = async (target: string, text: string) => {
      hand.fields += 1;
      await page.fill(target, text);
    };
    await page.goto(address);
    await click('#list li:first-child a');
    await fill('#f-claims-0-boundary-applicable_for', 'Alumnos de la escuela de Soria, niños y adultos.');
    await fill('#f-claims-0-boundary-not_applicable_for', 'Talleres de verano y clases a domicilio.');
    await fill('#f-claims-0-category', 'clases');
    hand.clicks += 2;
    await page.selectOption('#f-claims-0-confidence', 'medium');
    if (keep) await page.screenshot({ path: 'docs/screenshots/studio-complete.png' });
    for (let at = 1; at < 8; at += 1) {
      await click('button:text("Siguiente por arreglar")');
      await page.waitForSelector(`#f-claims-${at}-statement`);
      await click('button:text("Los mismos límites")');
      await page.waitForSelector(`#list li[data-group="claims/${at}"]:not([data-state="fault"])`);
    }
    await click('nav a[href="#actions"]');
    assert.equal(await page.isDisabled('#request_diagnostic .offer'), true);
    for (const [word, text] of Object.entries(FORM))
      await fill(`#f-actions-request_diagnostic-words-es-${word}`, text);
    await click('#request_diagnostic .offer');
    await click('nav a[href="#ask"]');
    await fill('#ask', '¿Cuánto vale aprender piano?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#answer li');
    assert.match(String(await page.textContent('#answer li')), /68 euros al mes/);
    if (keep) await page.screenshot({ path: 'docs/screenshots/studio-ask.png' });
    await click('#answer li button');
    await click('nav a[href="#questions"]');
    await page.waitForSelector('#figures');
    if (keep) await page.screenshot({ path: 'docs/screenshots/studio-questions.png' });
    await click('nav a[href="#sign"]');
    await click('button:text("válido un año")');
    await page.waitForSelector('#signed:has-text("texto está firmado")');
    if (keep) await page.screenshot({ path: 'docs/screenshots/studio-sign.png' });
    assert.deepEqual(faults, []);
    studio.process.kill('SIGINT');
    await studio.ended;

    const { url } = await startServerProcess(t, {
      ...{ BRAND_FILE: join(directory, 'brand.json'), BRAND_JWKS: join(directory, 'brand.jwks.json') },
      DATA_DIR: env.DATA_DIR,
    });
    const answer = JSON.parse(
      await (await fetch(`${url}/ask?q=${encodeURIComponent('¿Cuánto cuesta la matrícula?')}`)).text(),
    );
    assert.equal(answer.brand, 'Escuela Cadencia');
    assert.match(answer.matches[0].statement, /30 euros/);
    const minutes = ((Date.now() - started) / 60_000).toFixed(1);
    t.diagnostic(
      `8 claims: 3 commands, ${hand.clicks} clicks, ${hand.fields} fields typed, 0 lines of JSON, ${minutes} minutes of the machine`,
    );
  });
});
