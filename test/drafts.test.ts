import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { deflateSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { loadEmbedder } from '../brand/retrieval/load-embedder.ts';
import { checkProfile } from '../owner/check/check-profile.ts';
import { draft } from '../owner/commands/draft.ts';
import { readSources } from '../owner/drafts/read-sources.ts';
import { readDocx } from '../owner/drafts/readers/docx.ts';
import { readHtml } from '../owner/drafts/readers/html.ts';
import { readMarkdown } from '../owner/drafts/readers/markdown.ts';
import { readPdf } from '../owner/drafts/readers/pdf.ts';
import { draftStubs } from '../owner/drafts/stubs.ts';
import { readConfig } from '../server/config/config.ts';
import { docxOf, pdfFile, pdfOf } from './brochure.ts';
import { temporaryFolder } from './folder.ts';

const { embedder } = await loadEmbedder(readConfig({}).embedding);

/** A FAQ of an invented practice, with what a page has besides: a menu, scripts, a phone number. */
const FAQ = `<!doctype html><html lang="es"><head>
<meta property="og:site_name" content="Fisio Ribera"><meta name="description" content="Fisioterapia en Zaragoza.">
<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'MedicalClinic', name: 'Fisio Ribera', email: 'hola@fisio.example' },
    {
      '@type': 'FAQPage',
      mainEntity: [
        {
          '@type': 'Question',
          name: '¿Cuánto cuesta una sesión?',
          acceptedAnswer: { '@type': 'Answer', text: '<p>La sesión cuesta 45 euros.</p><p>Dura 50 minutos.</p>' },
        },
        {
          '@type': 'Question',
          name: '¿Quién atiende?',
          acceptedAnswer: { '@type': 'Answer', text: 'Marta y Luis, fisioterapeutas.' },
        },
      ],
    },
  ],
})}</script><script>document.title = "Cobramos 999 euros"</script></head>
<body><nav><a href="/tarifas">Ver 3 tarifas</a></nav><h1>Fisio Ribera</h1>
<h2>Tarifas</h2><p>La sesión cuesta 45&nbsp;euros. Nos gusta la ciudad. El bono de diez sesiones cuesta 1.380,50 € e incluye la primera visita.</p>
<p>Tel. 976 000 000</p><p hidden>Oferta secreta: 1 euro.</p>
<details><summary>¿Aceptáis seguros?</summary><p>No trabajamos con mutuas.</p></details></body></html>`;

const said = async (...readings: Parameters<typeof draftStubs>[0]) =>
  (await draftStubs(readings, 'es', embedder)).stubs.map(({ statement }) => statement);

async function folder(files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const directory = temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(directory, name), bytes);
  return (name: string) => join(directory, name);
}

/** Runs the command in an empty folder. */
async function drafted(sources: readonly string[], options: Partial<Parameters<typeof draft>[1]> = {}) {
  const path = await folder();
  const printed = { stdout: '', stderr: '' };
  const sink = (name: keyof typeof printed) => ({ write: (text: string) => (printed[name] += text) });
  const terminal = { stdin: Readable.from([]), stdout: sink('stdout'), stderr: sink('stderr') };
  const all = { brand: path('brand.json'), pages: 40, url: 'https://fisio.example', embedder, ...options };
  const code = await draft(sources, all, terminal);
  const profile = JSON.parse(await readFile(path('brand.json'), 'utf8'));
  return { code, path, profile, ...printed };
}

/** A site on a free loopback port. */
async function site(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

const OPEN = { pages: 40, allowPrivate: true, note: () => {} };

describe('a draft', () => {
  it('has every sentence with a figure, a price, a term, a guarantee or an exclusion, word for word, and no other', async () => {
    assert.deepEqual(await said(readHtml('faq.html', FAQ)), [
      'La sesión cuesta 45 euros.',
      'Dura 50 minutos.',
      'Marta y Luis, fisioterapeutas.',
      'No trabajamos con mutuas.',
      'El bono de diez sesiones cuesta 1.380,50 € e incluye la primera visita.',
    ]);
  });

  it('reads Markdown, Word and PDF as the same sentences, list items and cells apart', async () => {
    const lines = [
      'Tarifas',
      'La primera visita cuesta 30 euros.',
      'Garantía: devolvemos el importe en 14 días',
      'Hola.',
    ];
    const [heading = '', ...texts] = lines;
    const expected = [lines[1], lines[2]];
    assert.deepEqual(await said(readMarkdown('a.md', `# ${heading}\n\n- ${texts.join('\n- ')}`)), expected);
    assert.deepEqual(await said(readDocx('a.docx', docxOf([`# ${heading}`, ...texts]))), expected);
    const pdf = pdfOf([{ text: heading, size: 18 }, ...texts.map(text => ({ text }))]);
    const reading = await readPdf('a.pdf', pdf);
    assert.deepEqual(await said(reading), expected);
    assert.deepEqual(reading.blocks[0], { kind: 'heading', text: heading });
  });

  it('folds what two sources say alike into one claim with both sources, and keeps other figures apart', async () => {
    const pages = [
      readHtml('a.html', '<h2>Precios</h2><p>La sesión individual cuesta 45 euros.'),
      readHtml('b.html', '<p>LA SESIÓN INDIVIDUAL CUESTA 45 EUROS<p>La sesión individual cuesta 40 euros.'),
      readHtml('c.html', '<p>La sesión individual no cuesta 45 euros.'),
    ];
    const { stubs, folded } = await draftStubs(pages, 'es', embedder);
    assert.deepEqual(
      stubs.map(({ statement, sources }) => [statement, sources]),
      [
        ['La sesión individual cuesta 45 euros.', ['a.html: Precios', 'b.html']],
        ['La sesión individual cuesta 40 euros.', ['b.html']],
        ['La sesión individual no cuesta 45 euros.', ['c.html']],
      ],
    );
    assert.equal(folded, 1);
  });

  it('invents nothing: the new profile has the words of its sources, and each missing member is a named fault', async () => {
    const path = await folder({ 'faq.html': FAQ });
    const { code, profile, stdout, stderr, path: made } = await drafted([path('faq.html')]);
    assert.equal(code, 0);
    assert.deepEqual(profile.names, [{ es: 'Fisio Ribera' }]);
    assert.equal(profile.description, 'Fisioterapia en Zaragoza.');
    assert.deepEqual(profile.contact, { email: 'hola@fisio.example' });
    const [first] = profile.claims;
    assert.deepEqual(first, {
      claim_id: 'clm-la-sesión-cuesta-45-euros',
      statement: 'La sesión cuesta 45 euros.',
      category: 'Tarifas',
      proof_ids: [],
    });
    const { faults } = await checkProfile(await readFile(made('brand.json')), { now: new Date() });
    const ofFirst = faults.filter(({ path }) => path.startsWith('claims[0]'));
    assert.deepEqual(
      ofFirst.map(({ path, message }) => `${path} ${message}`),
      ['claims[0].boundary is missing', 'claims[0].confidence is missing'],
    );
    assert.match(
      stdout,
      /^clm-dura-50-minutos: .*faq\.html: ¿Cuánto cuesta una sesión\?: is missing: category, boundary/m,
    );
    assert.match(stderr, /1 source: 5 new claims, 2 repeated sentences, 3 questions\nNext: .* studio /);
  });

  it('puts the questions of a FAQ into the questions file, each with the claims of its answer, and never twice', async () => {
    const page = await folder({ 'faq.html': FAQ });
    const { path } = await drafted([page('faq.html')]);
    const read = async () => (await readFile(path('questions.jsonl'), 'utf8')).trim().split('\n');
    const lines = await read();
    assert.deepEqual(JSON.parse(lines[0] ?? ''), {
      query: '¿Cuánto cuesta una sesión?',
      relevant: ['clm-la-sesión-cuesta-45-euros', 'clm-dura-50-minutos'],
      lang: 'es',
      kind: 'faq',
    });
    const before = await readFile(path('brand.json'), 'utf8');
    const again = { brand: path('brand.json'), pages: 1, embedder };
    const silent = { stdin: Readable.from([]), stdout: { write: () => {} }, stderr: { write: () => {} } };
    await draft([page('faq.html')], again, silent);
    assert.deepEqual(await read(), lines);
    assert.equal(await readFile(path('brand.json'), 'utf8'), before);
  });

  it('leaves the claims of a profile as they are, members that nobody knows included', async () => {
    const page = await folder({ 'a.md': 'Entregamos en 24 horas.' });
    const { path } = await drafted([page('a.md')], { name: 'Casa', language: 'es' });
    const profile = JSON.parse(await readFile(path('brand.json'), 'utf8'));
    profile.claims[0].note = 'own';
    profile.tagline = 'own';
    await writeFile(path('brand.json'), JSON.stringify(profile));
    await writeFile(page('b.md'), 'Cobramos 20 euros por visita.');
    const silent = { stdin: Readable.from([]), stdout: { write: () => {} }, stderr: { write: () => {} } };
    await draft([page('b.md')], { brand: path('brand.json'), pages: 1, embedder }, silent);
    const after = JSON.parse(await readFile(path('brand.json'), 'utf8'));
    assert.deepEqual(after.claims[0], profile.claims[0]);
    assert.deepEqual(Object.keys(after), Object.keys(profile));
    assert.equal(after.claims[1].statement, 'Cobramos 20 euros por visita.');
  });

  it('of a site reads the same host as robots.txt allows, and each page once', async t => {
    const asked: string[] = [];
    const url = await site(t, ({ url: path = '' }, response) => {
      asked.push(path);
      if (path === '/robots.txt')
        response.end('User-agent: *\nDisallow: /intern\nAllow: /intern/precios\nDisallow: /*.pdf$');
      else {
        response.setHeader('content-type', 'text/html; charset=utf-8');
        const links = '<a href="/a#x"></a><a href="/intern/x"></a><a href="/intern/precios"></a><a href="/b.pdf"></a>';
        response.end(`${links}<a href="http://other.example/"></a><p>Página ${path}: cobramos 10 euros.`);
      }
    });
    const readings = await readSources([url], OPEN);
    assert.deepEqual(asked, ['/robots.txt', '/', '/a', '/intern/precios']);
    assert.equal(readings.length, 3);
  });
});

describe('a hostile source', () => {
  it('runs nothing and cannot write to the terminal', () => {
    const { blocks } = readHtml(
      'x',
      '<p>Cobramos \u001b[31m9 euros\u202e.<script>globalThis.broken = 1</script><img onerror=1 src=x>',
    );
    assert.deepEqual(blocks, [{ kind: 'text', text: 'Cobramos [31m9 euros .' }]);
    assert.ok(!('broken' in globalThis));
  });

  it('is no page where thousands of elements or quotes stand in each other', () => {
    assert.equal(readHtml('x', `${'<p>9 euros<br>'.repeat(10_000)}`).blocks.length, 10_000);
    assert.throws(() => readHtml('x', '<div>'.repeat(1_000_000)), /x: is no page: more than 2000 elements/);
    assert.equal(readMarkdown('x', `${'> '.repeat(50_000)}9 euros`).blocks.length, 1);
    assert.equal(readMarkdown('x', `${'1) > '.repeat(50_000)}9 euros`).blocks.length, 1);
    const answer = { '@type': 'Question', name: 'x?', acceptedAnswer: { text: '<b>'.repeat(1_500_000) } };
    const faq = `<script type="application/ld+json">${JSON.stringify(answer)}</script>`;
    assert.throws(() => readHtml('x', faq), /x: is no page: more than 2000 elements/);
    const word = zipSync({ 'word/document.xml': Buffer.alloc(5e6, '<w:a>') }, { level: 1 });
    assert.throws(() => readDocx('x', word), /x: is no page: more than 2000 elements/);
  });

  it('is read in pieces where a paragraph of it is very long, and nothing of it is lost', () => {
    assert.equal(readMarkdown('x', 'a**b'.repeat(50_000)).blocks.length, 100);
    const words = Array.from({ length: 1000 }, (_, nth) => `palabra${nth}`).join(' ');
    const said = (text: string) => readMarkdown('x', text).blocks.map(block => block.text);
    assert.equal(said(words).join(' '), words);
    assert.equal(said(words.replaceAll(' ', '\n')).join(' '), words);
  });

  it('cannot hold the draft with a million accents on a letter, short words or repeated sentences', async () => {
    const [accents] = readHtml('x', `<p>a${'\u0301\u0323'.repeat(1e6)}`).blocks;
    assert.ok(accents && accents.text.length <= 31);
    const short = readHtml('x', `<p>Cuesta 9 euros. ${'Sr. '.repeat(2e5)}`);
    assert.deepEqual(await said(short), ['Cuesta 9 euros.']);
    const { stubs, folded } = await draftStubs([readHtml('x', `<p>${'Son 9 euros. '.repeat(50_000)}`)], 'es', embedder);
    assert.deepEqual([stubs.length, folded], [1, 49_999]);
  });

  it('with 30,000 rules for 17,000 readers in robots.txt is read, as its rules for everybody say', async t => {
    const robots = `${'user-agent:a\n'.repeat(17_000)}${'allow:/\n'.repeat(30_000)}user-agent:*\ndisallow:/no`;
    const url = await site(t, ({ url: path }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(path === '/robots.txt' ? robots : '<a href="/no"></a><p>Cobramos 9 euros.');
    });
    assert.deepEqual(
      (await readSources([url], OPEN)).map(({ source }) => source),
      [url],
    );
  });

  it('of more than 32 MB is refused, and no more of it is read', async () => {
    const path = await folder({ 'big.html': '' });
    await truncate(path('big.html'), 100 * 1024 * 1024);
    await assert.rejects(
      readSources([path('big.html')], OPEN),
      /big\.html is larger than 32 MB: is it the right one\?/,
    );
  });

  it('that is a zip bomb or no Word file is refused by name', () => {
    const bomb = zipSync({ 'word/document.xml': new Uint8Array(40 * 1024 * 1024) }, { level: 1 });
    assert.throws(() => readDocx('b.docx', bomb), /b\.docx: holds more than 32 MB of text: split the document/);
    assert.throws(() => readDocx('c.docx', new Uint8Array(50)), /c\.docx: is no Word document/);
  });

  it('that is a PDF which asks for gigabytes, is cut off, or is a scan is refused by name', async () => {
    const bomb = pdfFile(deflateSync(Buffer.alloc(80e6, '(x) Tj ')), '/Filter /FlateDecode');
    const bounds = { pages: 10, milliseconds: 5000, growthBytes: 60e6 };
    await assert.rejects(readPdf('b.pdf', bomb, bounds), /b\.pdf: takes (more memory|longer)/);
    await assert.rejects(readPdf('c.pdf', new Uint8Array([1, 2, 3])), /c\.pdf: is no PDF that can be read/);
    await assert.rejects(readPdf('d.pdf', pdfFile('')), /d\.pdf: has no text, so it is a scan/);
  });

  it('at a private address is refused, by number and by name, unless the owner lets it in', async t => {
    const url = await site(t, (_, response) => response.end());
    const shut = { ...OPEN, allowPrivate: false };
    const named = url.replace('127.0.0.1', 'localhost');
    for (const address of [url, named, 'http://[::1]:1/', 'http://169.254.169.254/', 'http://0x7f.1:1/'])
      await assert.rejects(readSources([address], shut), /is an address of this machine or of its network/, address);
  });

  it('that redirects without end, or to another site, is refused', async t => {
    const loop = await site(t, ({ url = '' }, response) => {
      response.writeHead(url === '/robots.txt' ? 404 : 302, { location: `${url}x` }).end();
    });
    await assert.rejects(readSources([loop], OPEN), /redirects more than 5 times/);
    const away = await site(t, ({ url = '' }, response) => {
      response.writeHead(url === '/robots.txt' ? 404 : 302, { location: 'http://192.0.2.1/' }).end();
    });
    await assert.rejects(readSources([away], OPEN), /redirects to 192\.0\.2\.1, another site/);
  });

  it('that never ends is left after 5 MB', async t => {
    const url = await site(t, ({ url: path }, response) => {
      if (path === '/robots.txt') return void response.writeHead(404).end();
      response.setHeader('content-type', 'text/html');
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        response.once('drain', more);
      };
      more();
    });
    await assert.rejects(readSources([url], OPEN), /is larger than 5 MB/);
  });

  it('among others does not keep them from being read', async () => {
    const path = await folder({ 'a.html': FAQ, 'b.docx': 'no zip' });
    await mkdir(path('sub'));
    await writeFile(path('sub/c.md'), 'Abrimos 9 horas.');
    const notes: string[] = [];
    const readings = await readSources([path('.')], { ...OPEN, note: message => notes.push(message) });
    assert.deepEqual(
      readings.map(({ source }) => source),
      ['a.html', 'sub/c.md'],
    );
    assert.match(notes.join(), /^b\.docx: is no Word document/);
    assert.ok(!existsSync(path('brand.json')));
  });
});
