import * as z from 'zod';
import { LEGAL_FORM, looksNamed, plainWords } from '../../brand/profile/client-name.ts';
import { type Fault, jsonPath } from '../../brand/profile/fault.ts';
import { oncePerPart } from './once-per-part.ts';

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
  const names = [...listed, ...clients].map(searched);
  const found = names.length === 0 ? [] : textsOf(document).flatMap(text => occurrences(text, names));
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
  readonly plain: Plain;
}

/** A text as names are looked for in it. */
interface Plain {
  /** In lower case without accents, between single spaces. */
  readonly words: string;
  readonly joined: string;
}

function plainOf(text: string): Plain {
  const words = plainWords(text);
  return { words, joined: words.replaceAll(' ', '') };
}

/** Every text of a document, the names of its members too; signatures are none. */
function textsOf(document: unknown): readonly Text[] {
  if (typeof document !== 'object' || document === null) return [];
  const { signatures: _, $schema: __, ...rest } = { signatures: undefined, $schema: undefined, ...document };
  return textsIn(rest);
}

const textsIn = oncePerPart((value: object): readonly Text[] =>
  Array.isArray(value)
    ? value.flatMap((entry, at) => textsAt(at, entry))
    : Object.entries(value).flatMap(([name, member]) => [textAt(name, name), ...textsAt(name, member)]),
);

function textsAt(name: PropertyKey, value: unknown): readonly Text[] {
  if (typeof value === 'string') return [textAt(name, value)];
  if (typeof value !== 'object' || value === null) return [];
  return textsIn(value).map(({ path, plain }) => ({ path: [name, ...path], plain }));
}

const textAt = (name: PropertyKey, value: string): Text => ({
  path: [name],
  plain: plainOf(value.replace(/\p{Cf}/gu, '')),
});

interface Occurrence {
  readonly isCertain: boolean;
  readonly fault: Fault;
}

/** From this length on a name is also found inside a word: `valdecuervofoods.com`, `prfValdecuervo`. */
const TELLING = 8;

const searched = (of: Forbidden) => ({ ...of, plain: plainOf(of.name) });

function occurrences({ path, plain: text }: Text, names: readonly ReturnType<typeof searched>[]): Occurrence[] {
  return names.flatMap(({ name, source, isCertain, own, plain: { words, joined } }) => {
    if (joined === '') return [];
    if (!text.words.includes(words) && !(joined.length >= TELLING && text.joined.includes(joined))) return [];
    if (own === jsonPath(path)) return [];
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
