import { performance } from 'node:perf_hooks';
import { chromium } from 'playwright-core';
import { openStudio } from '../../owner/commands/studio.ts';
import { readConfig } from '../../server/config/config.ts';
import { CHROMIUM } from '../../test/chromium.ts';
import { profileFolder } from '../../test/studio-support.ts';
import { EXAMPLE } from '../../test/support.ts';

/** `npm run bench -- studio`: what an owner waits for in the studio of 1,000 claims: a key, the faults of an edit, an answer after it. */
const CLAIMS = 1000;
const ROUNDS = 10;

const claims = Array.from({ length: CLAIMS }, (_, at) => {
  const claim = EXAMPLE.claims[at % EXAMPLE.claims.length];
  return {
    ...claim,
    claim_id: `clm-${at}`,
    statement: `${claim.statement} Caso ${at} de ${at * 7} euros.`,
    proof_ids: [],
  };
});
const { path } = await profileFolder(claims);
const studio = await openStudio(
  path('brand.json'),
  { port: 0, embedding: readConfig(process.env).embedding },
  () => {},
);
const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.goto(studio.url);
await page.waitForSelector('#list li');
await page.evaluate("location.hash = '#claims/500'");
await page.waitForSelector('#f-claims-500-statement');

const quantile = (values: readonly number[], share: number) =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0);
const row = (name: string, values: readonly number[]) =>
  process.stdout.write(`| ${name} | ${quantile(values, 0.5)} | ${quantile(values, 0.95)} |\n`);

process.stdout.write(`| ${CLAIMS} claims, milliseconds | p50 | p95 |\n| --- | ---: | ---: |\n`);
// From the key to the next frame, as the page itself sees it.
await page.evaluate(`window.keys = []; document.addEventListener('keydown', () => {
  const from = performance.now();
  requestAnimationFrame(() => setTimeout(() => window.keys.push(performance.now() - from)));
}, true)`);
await page.focus('#f-claims-500-statement');
await page.keyboard.type('Una frase nueva que cuesta 9 euros.', { delay: 40 });
await page.waitForTimeout(1500);
row('a key until its frame', JSON.parse(String(await page.evaluate('JSON.stringify(window.keys)'))));

const call = (name: string, body: object) =>
  page.evaluate(
    `fetch('/api/${name}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} }).then(answer => answer.text())`,
  );
await call('ask', { query: 'precio' });
const [edits, answers]: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round += 1) {
  const edit = { do: 'set', path: ['claims', round, 'statement'], value: `Otra frase, la ${round}, de ${round} días.` };
  const started = performance.now();
  await call('edit', { edits: [edit] });
  edits.push(performance.now() - started);
  const asked = performance.now();
  await call('ask', { query: `¿cuánto cuesta el caso ${round}?` });
  answers.push(performance.now() - asked);
}
row('an edit until its faults, saved', edits);
row('a question right after it', answers);
await browser.close();
await studio.close();
process.exit();
