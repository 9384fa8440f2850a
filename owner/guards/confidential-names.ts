import * as z from 'zod';
import { LEGAL_FORM, looksNamed, plainWords } from '../../brand/profile/client-name.ts';
import { type Fault, jsonPath } from '../../brand/profile/fault.ts';

/** The file of names that are never published: one a line, `#` begins a comment. It stays on the owner's machine. */
export const NEVER_PUBLISH = 'never-publish.txt';

/** The names in the text of a never-publish file. */
export function readNames(text: string): string[] {
  const lines = text.split(/\r?\n/).map(line => line.replace(/^\uFEFF/, '').trim());
  return lines.filter(line => line !== '' && !line.startsWith('#'));
}

interface Findings {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

interface Forbidden {
  readonly name: string;
  /** Where the name is known from. */
  readonly source: string;
  /** A guess stops nothing. */
  readonly isCertain: boolean;
  /** The field that it comes from, which is judged by its form. */
  readonly own?: string;
}

/**
 * Names that the profile may not say: those of the never-publish file, and the clients of proofs that are not public where
 * they carry a legal form. They are looked for in every text of the document, its ids and addresses included. A client
 * without a legal form that looks like a name is a guess, and a warning.
 */
export function nameFindings(document: unknown, neverPublish: readonly string[]): Findings {
  const { proofs, language } = Lenient.parse(document);
  const hidden = proofs.map((proof, at) => ({ ...proof, at })).filter(proof => proof.confidentiality !== 'public');
  const openly = new Set(
    proofs.flatMap(proof => (proof.confidentiality === 'public' ? plainWords(withoutForm(proof.client)) : [])),
  );
  const clients = hidden.flatMap(({ at, client, proof_id }): Forbidden[] => {
    const name = withoutForm(client);
    if (!looksNamed(client, language) || plainWords(name).trim().length < 3 || openly.has(plainWords(name))) return [];
    const source = `the client of ${proof_id}`;
    return [{ name, source, isCertain: LEGAL_FORM.test(client), own: jsonPath(['proofs', at, 'client']) }];
  });
  const listed = neverPublish.map((name): Forbidden => ({ name, source: NEVER_PUBLISH, isCertain: true }));
  const formFaults = hidden.flatMap(({ at, client, confidentiality }): Fault[] => {
    const [form] = LEGAL_FORM.exec(client) ?? [];
    if (form === undefined) return [];
    const message = `names a company (${form}), though the proof is ${confidentiality || 'not public'}`;
    return [{ path: jsonPath(['proofs', at, 'client']), message, fix: DESCRIBE }];
  });
  const found = textsIn(document).flatMap(text => occurrences(text, [...listed, ...clients]));
  return {
    faults: [...formFaults, ...found.filter(({ isCertain }) => isCertain).map(({ fault }) => fault)],
    warnings: found.filter(({ isCertain }) => !isCertain).map(({ fault }) => fault),
  };
}

const text = z.string().catch('');
const NOTHING = { client: '', confidentiality: '', proof_id: '' };
const Proof = z.object({ client: text, confidentiality: text, proof_id: text }).catch(NOTHING);
/** Of a profile in any state what names are looked for in. */
const Lenient = z
  .object({ language: z.string().catch('es'), proofs: z.array(Proof).catch([]) })
  .catch({ language: 'es', proofs: [] });

const DESCRIBE = 'describe the client instead: "a maker of canned food, Galicia"';

/** `Grupo Valdecuervo, S.L., Jaén` → `Grupo Valdecuervo`: what else stands in the field may be places. */
const withoutForm = (client: string) => (client.split(',')[0] ?? '').replace(LEGAL_FORM, '').trim();

interface Text {
  readonly path: readonly PropertyKey[];
  readonly value: string;
}

/** Every text of a document, the names of its members too; signatures are none. */
function textsIn(value: unknown, path: readonly PropertyKey[] = []): Text[] {
  if (typeof value === 'string') return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((entry, at) => textsIn(entry, [...path, at]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (path.length === 0 && (name === 'signatures' || name === '$schema')) return [];
    return [{ path: [...path, name], value: name }, ...textsIn(member, [...path, name])];
  });
}

interface Occurrence {
  readonly isCertain: boolean;
  readonly fault: Fault;
}

/** From this length on a name is also found inside a word: `valdecuervofoods.com`, `prfValdecuervo`. */
const TELLING = 8;

function occurrences({ path, value }: Text, names: readonly Forbidden[]): Occurrence[] {
  const words = plainWords(value.replace(/\p{Cf}/gu, ''));
  const joined = words.replaceAll(' ', '');
  return names.flatMap(({ name, source, isCertain, own }) => {
    if (own === jsonPath(path)) return [];
    const plain = plainWords(name);
    const together = plain.replaceAll(' ', '');
    if (plain.trim() === '') return [];
    if (!words.includes(plain) && !(together.length >= TELLING && joined.includes(together))) return [];
    // A client's own field is judged by its form.
    if (
      path.at(-1) === 'client' &&
      source.startsWith('the client') &&
      source.endsWith(`(${jsonPath(path.slice(0, 2))})`)
    )
      return [];
    const message = `says “${name.trim()}”, which may not be published: ${source}`;
    const fix = isCertain
      ? 'take the name out, or make the proof public'
      : 'where this is a name, take it out; else leave it';
    return [{ isCertain, fault: { path: jsonPath(path), message, fix } }];
  });
}
