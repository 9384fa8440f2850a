import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bullets } from '../discovery/documents/markdown.ts';
import { readConfig } from '../server/config/config.ts';
import { loadBrand } from '../server/run/load-brand.ts';
import { API_SECTIONS } from './api-sections.ts';
import { Evaluation, evalTables } from './eval-table.ts';
import { speedText } from './speed-text.ts';

const EXAMPLES = fileURLToPath(new URL('../examples/library/', import.meta.url));

/** Every generated section by its name in the markers. */
export const SECTIONS: Readonly<Record<string, () => string | Promise<string>>> = {
  'first-answer': firstAnswer,
  ...API_SECTIONS,
  eval: () => measured('eval.json', evalOf, 'npm run eval -- --json bench/results/eval.json'),
  speed: () => measured('speed.json', speedText, 'npm run bench -- speed --write'),
  mounts: () => bullets(Object.entries(MOUNTS).map(mountLine)),
  ...Object.fromEntries(readdirSync(EXAMPLES).map(file => [file, () => exampleCode(file)])),
};

/** An example of the library, as it is run and compiled by the checks. */
function exampleCode(file: string): string {
  return `\`\`\`ts\n${readFileSync(EXAMPLES + file, 'utf8')}\`\`\``;
}

/** Servers with the beginning of the line that puts Aval on them. */
const MOUNTS = {
  Express: 'site.use(aval',
  Fastify: 'site.addHook(',
  h3: 'site.use(fromNodeHandler',
  'MCP server': 'registerTools(',
};

/** The line of its example that puts Aval on a server, without the comment behind it. */
function mountLine([name, beginning]: readonly [string, string]): string {
  const file = `${name.toLowerCase().replace(' ', '-')}.ts`;
  const lines = readFileSync(EXAMPLES + file, 'utf8').split('\n');
  const [line = ''] = /^.*;/.exec(lines.find(text => text.startsWith(beginning)) ?? '') ?? [];
  return `[${name}](../examples/library/${file}): \`${line}\``;
}

/** What the first command of the README prints, shortened; the similarity is rounded, since its last digits depend on the processor. */
async function firstAnswer(): Promise<string> {
  const brand = await loadBrand(readConfig({}), () => {});
  const { matches, ...answer } = await brand.ask('¿Cuánto cuesta el diagnóstico?');
  const first = matches.slice(0, 1).map(({ proofs, category: _, metric: __, ...match }) => ({
    ...match,
    similarity: Number(match.similarity.toFixed(2)),
    proofs: proofs.map(({ proof_id, verifiable_by }) => ({ proof_id, verifiable_by })),
  }));
  return `\`\`\`json\n${JSON.stringify({ ...answer, matches: first }, null, 2)}\n\`\`\``;
}

/** Sets that the calibration was fitted on: figures of these promise nothing for another profile. */
const FITTED_SETS = /^(example|XQuAD)/;

function evalOf(json: string): string {
  const evaluation = Evaluation.parse(JSON.parse(json));
  const sets = evaluation.sets.filter(({ set, way }) => !FITTED_SETS.test(set) && way !== 'two');
  return evalTables({ ...evaluation, sets });
}

/** The table of a result, or how to measure it where this version has not been measured. */
function measured(file: string, tableOf: (json: string) => string, command: string): string {
  return existsSync(resultFile(file))
    ? tableOf(results(file))
    : `Not measured at this version: \`${command}\`.`;
}

/** Figures that a command of this repository measured and wrote. */
function results(file: string): string {
  return readFileSync(resultFile(file), 'utf8');
}

const resultFile = (file: string) => new URL(`../bench/results/${file}`, import.meta.url);
