import * as z from 'zod';
import { jsonOrNothing } from '../../brand/profile/strict-json.ts';
import { MAX_TEXT } from '../../brand/profile/values.ts';
import { mergeInto } from '../merge/merge.ts';
import type { About } from './readers/reading.ts';
import type { Drafted, DraftedQuestion, Stub } from './stubs.ts';

/** A profile with the stubs of its sources behind the claims that it has. */
export interface DraftedProfile {
  readonly document: Readonly<Record<string, unknown>>;
  /** Id of each stub's claim: a new one, or the one that says the same already. */
  readonly idOf: ReadonlyMap<Stub, string>;
  /** Ids of the claims that are new. */
  readonly added: readonly string[];
}

const Members = z.record(z.string(), z.unknown());
const Document = z.looseObject({ claims: z.array(Members).catch([]) });

/**
 * Puts stubs into a profile. Claims that are there stay as they are and in their order; those that `aval init` wrote give way. What
 * the sources say of the brand fills what is empty. No member is made up: what no source says is missing.
 */
export function addStubs(
  existing: unknown,
  { stubs }: Pick<Drafted, 'stubs'>,
  { about, isExample }: { about: About; isExample: (id: string) => boolean },
): DraftedProfile {
  const document = Document.parse(existing);
  const kept = document.claims.filter(claim => !isExample(String(claim.claim_id)));
  const known = new Map(kept.map(claim => [String(claim.statement), String(claim.claim_id)]));
  const fresh = stubs.filter(({ statement }) => !known.has(statement));
  const claims = [...kept, ...fresh.map(({ statement, category }) => ({ statement, ...(category && { category }) }))];
  const merged = mergeInto(
    existing,
    { claims: claims.map(members => ({ members, place: '' })), proofs: [], known: [], faults: [], notes: [] },
    { isExample },
  );
  const ids = Document.parse(merged.document).claims.map(claim => String(claim.claim_id));
  const added = ids.slice(kept.length, kept.length + fresh.length);
  const idOfFresh = new Map(fresh.map((stub, at) => [stub, added[at]]));
  const idOf = new Map(stubs.map(stub => [stub, known.get(stub.statement) ?? idOfFresh.get(stub) ?? '']));
  const order = Object.keys(Members.catch({}).parse(existing));
  const ordered = Object.fromEntries(order.map(name => [name, merged.document[name]]));
  return { document: { ...ordered, ...merged.document, ...said(merged.document, about) }, idOf, added };
}

/** What a page says of its brand, for members that the profile does not have. */
function said(document: Readonly<Record<string, unknown>>, { description, email, telephone }: About) {
  const contact = { ...(email && { email }), ...(telephone && { phone: telephone }) };
  return {
    ...(description && document.description === undefined && { description: description.slice(0, MAX_TEXT) }),
    ...(Object.keys(contact).length > 0 && document.contact === undefined && { contact }),
  };
}

const Line = z.object({ query: z.string() });

/** The questions file with those that it does not have yet, each with the claims that its answer became. */
export function addQuestions(
  existing: string,
  questions: readonly DraftedQuestion[],
  { idOf, language }: { idOf: DraftedProfile['idOf']; language: string },
): { text: string; added: number } {
  const known = new Set(
    existing
      .split('\n')
      .flatMap(line => (line.trim() === '' ? [] : (Line.safeParse(jsonOrNothing(line)).data?.query ?? []))),
  );
  const fresh = questions.filter(({ query, answers }) => !known.has(query) && answers.length > 0);
  const lines = fresh.map(({ query, answers }) => {
    const relevant = answers.flatMap(stub => idOf.get(stub) ?? []);
    return JSON.stringify({ query, relevant, lang: language, kind: 'faq' });
  });
  const before = existing === '' || existing.endsWith('\n') ? existing : `${existing}\n`;
  return { text: lines.length === 0 ? existing : `${before}${lines.join('\n')}\n`, added: fresh.length };
}

const Sources = z.record(z.string(), z.array(z.string())).catch({});

/** Where each drafted claim comes from, by its id, with what an earlier draft knew. Kept beside the profile, never in it. */
export function addSources(existing: unknown, idOf: DraftedProfile['idOf']): Record<string, string[]> {
  const sources = { ...Sources.parse(existing) };
  for (const [stub, id] of idOf) sources[id] = [...new Set([...(sources[id] ?? []), ...stub.sources])];
  return sources;
}
