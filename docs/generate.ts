import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { measuredCode } from '../bench/result.ts';
import { PROFILE_SCHEMA_PATH, profileJsonSchema } from '../brand/profile/json-schema.ts';
import { envFile } from '../server/config/settings.ts';
import { SECTIONS } from './sections.ts';

/**
 * Writes the generated parts of the documents, between `<!-- begin:NAME -->` and `<!-- end:NAME -->`, from the tables
 * in the code and from the measured results. With --check it writes nothing and fails when a document differs, or a result is
 * older than the code it measured.
 */
const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PAGES = ['api', 'library', 'mcp', 'operations', 'retrieval'];
const DOCUMENTS = ['README.md', ...PAGES.map(name => `docs/${name}.md`)];
/** A marked part: its beginning, its name, its end. */
const SECTION = /(<!-- begin:(\S+) -->\n).*?(<!-- end:\2 -->)/gs;
const check = process.argv.includes('--check');

const documents = await Promise.all(
  DOCUMENTS.map(async file => [file, await filled(file, read(file))] as const),
);
const stale = [
  ...documents.map(([file, text]) => update(file, text)),
  update('.env.example', envFile()),
  update(PROFILE_SCHEMA_PATH.slice(1), `${JSON.stringify(profileJsonSchema(), null, 2)}\n`),
].filter(file => file !== undefined);

if (check && stale.length > 0) {
  process.stderr.write(`${stale.join(', ')}: not in step with the code; run npm run docs\n`);
  process.exitCode = 1;
}

for (const file of check ? readdirSync(`${ROOT}bench/results`) : []) {
  const { code } = JSON.parse(read(`bench/results/${file}`));
  if (code === undefined || measuredCode() === code) continue;
  process.stderr.write(`bench/results/${file}: the code has changed since; measure again (npm run bench)\n`);
  process.exitCode = 1;
}

async function filled(file: string, text: string): Promise<string> {
  const names = [...text.matchAll(SECTION)].map(([, , name = '']) => name);
  const texts = new Map(
    await Promise.all(names.map(async name => [name, await sectionText(file, name)] as const)),
  );
  return text.replace(SECTION, (_, begin, name, end) => `${begin}${texts.get(name)}\n${end}`);
}

async function sectionText(file: string, name: string): Promise<string> {
  const section = SECTIONS[name];
  if (!section) throw new Error(`${file}: no section is called ${name}`);
  return section();
}

/** @returns the file's name when its text was not what it has to be */
function update(file: string, text: string): string | undefined {
  if (read(file) === text) return undefined;
  if (!check) writeFileSync(ROOT + file, text);
  return file;
}

function read(file: string): string {
  return existsSync(ROOT + file) ? readFileSync(ROOT + file, 'utf8') : '';
}
