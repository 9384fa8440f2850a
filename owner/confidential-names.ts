import { isOwnName, LEGAL_FORM, looksNamed, plainWords } from '../brand/profile/client-name.ts';
import { type Fault, fault, jsonPath } from '../brand/profile/fault.ts';
import type { Draft } from './draft.ts';
import type { Context } from './guards.ts';
import { oncePerText } from './once-per-part.ts';

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
export function nameFindings(
  { clients: all, names, language }: Draft,
  { document, neverPublish }: Context,
): Fault[] {
  const openly = new Set(
    all.flatMap(({ client, confidentiality }) =>
      confidentiality === 'public' ? plainWords(withoutForm(client)) : [],
    ),
  );
  const clients = all.flatMap(({ client, confidentiality, proof_id }, at): Forbidden[] => {
    const name = withoutForm(client);
    if (confidentiality === 'public' || !looksNamed(client, language) || isOwnName(client, names)) return [];
    if (plainWords(name).trim().length < 3 || openly.has(plainWords(name))) return [];
    return [{ name, proof: proof_id, own: jsonPath(['proofs', at, 'client']) }];
  });
  const listed = neverPublish.map((name): Forbidden => ({ name }));
  const sought = [...listed, ...clients].map(of => ({ ...of, ...plainOf(of.name) }));
  if (sought.length === 0) return [];
  return plainTexts(document).flatMap(([path, text]) => {
    const said = sought.filter(one => isIn(text, one) && one.own !== jsonPath(path));
    return said.map(({ name, proof }) =>
      fault(jsonPath(path), proof ? 'client_name' : 'listed_name', ...[name.trim(), proof ?? []].flat()),
    );
  });
}

/** `Grupo Valdecuervo, S.L., Jaén` → `Grupo Valdecuervo`: what else stands in the field may be places. */
const withoutForm = (client: string) => (client.split(',')[0] ?? '').replace(LEGAL_FORM, '').trim();

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

const plainTexts = oncePerText(text => [plainOf(text.replace(/\p{Cf}/gu, ''))]);

/** From this length on a name is also found inside a word: `valdecuervofoods.com`, `prfValdecuervo`. */
const TELLING = 8;

const isIn = (text: Plain, { words, joined }: Plain): boolean =>
  joined !== '' && (text.words.includes(words) || (joined.length >= TELLING && text.joined.includes(joined)));
