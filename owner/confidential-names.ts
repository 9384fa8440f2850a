import * as z from 'zod';
import { isOwnName, LEGAL_FORM, looksNamed, plainWords } from '../brand/profile/client-name.ts';
import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import { oncePerPart } from './once-per-part.ts';

interface Findings {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

interface Forbidden {
  readonly name: string;
  /** The proof whose client it is; none for a name of the file. */
  readonly proof?: string;
  /** The field that it comes from, which is judged by its form. */
  readonly own?: string;
}

/**
 * Names that the profile may not say: those of the never-publish file, which are faults, and the clients of proofs that are not
 * public where they look like a name, which is a guess and a warning. They are looked for in every text of the document, its ids
 * and addresses included.
 */
export function nameFindings(document: unknown, neverPublish: readonly string[]): Findings {
  const { proofs, names: own, language } = Lenient.parse(document);
  const openly = new Set(
    proofs.flatMap(proof => (proof.confidentiality === 'public' ? plainWords(withoutForm(proof.client)) : [])),
  );
  const clients = proofs.flatMap(({ client, confidentiality, proof_id }, at): Forbidden[] => {
    const name = withoutForm(client);
    if (confidentiality === 'public' || !looksNamed(client, language) || isOwnName(client, own)) return [];
    if (plainWords(name).trim().length < 3 || openly.has(plainWords(name))) return [];
    return [{ name, proof: proof_id, own: jsonPath(['proofs', at, 'client']) }];
  });
  const texts = neverPublish.length + clients.length === 0 ? [] : textsOf(document);
  const found = (names: readonly Forbidden[]) => {
    const sought = names.map(searched);
    return texts.flatMap(text => occurrences(text, sought));
  };
  return { faults: found(neverPublish.map(name => ({ name }))), warnings: found(clients) };
}

const text = z.string().catch('');
const NOTHING = { client: '', confidentiality: '', proof_id: '' };
const Proof = z.object({ client: text, confidentiality: text, proof_id: text }).catch(NOTHING);
/** Of a profile in any state what names are looked for in. */
const Lenient = z
  .object({
    language: z.string().catch('es'),
    names: z.array(z.record(z.string(), z.string())).catch([]),
    proofs: z.array(Proof).catch([]),
  })
  .catch({ language: 'es', names: [], proofs: [] });

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

/** From this length on a name is also found inside a word: `valdecuervofoods.com`, `prfValdecuervo`. */
const TELLING = 8;

const searched = (of: Forbidden) => ({ ...of, plain: plainOf(of.name) });

function occurrences({ path, plain: text }: Text, names: readonly ReturnType<typeof searched>[]): Fault[] {
  return names.flatMap(({ name, proof, own, plain: { words, joined } }) => {
    if (joined === '' || own === jsonPath(path)) return [];
    if (!text.words.includes(words) && !(joined.length >= TELLING && text.joined.includes(joined))) return [];
    if (proof === undefined) return [fault(jsonPath(path), 'listed_name', name.trim())];
    return [fault(jsonPath(path), 'client_name', name.trim(), proof)];
  });
}
