import * as z from 'zod';
import { type Fault, fault, jsonPath, quote } from './fault.ts';
import { wordsOf } from './texts.ts';

/**
 * Faults between the parts of a document: dates in the wrong order, ids used twice, links to nothing, a
 * client named by a proof that is not public. Reads a document of any shape, so that a fault of shape hides
 * none of these.
 */
export function linkFaults(document: unknown): Fault[] {
  const links = Links.safeParse(document).data ?? Links.parse({});
  return [
    ...dateFaults(links),
    ...idFaults(links),
    ...danglingFaults(links),
    ...questionFaults(links),
    ...wordFaults(links),
    ...clientFaults(links),
  ];
}

const text = z.string().optional().catch(undefined);
const Claim = z.object({ claim_id: text, proof_ids: z.array(text).catch([]) }).catch({ proof_ids: [] });
const Proof = z.object({ proof_id: text, client: text, confidentiality: text }).catch({});
const Question = z.object({ claim_id: text }).catch({});
const Action = z
  .object({
    words: z.record(z.string(), z.unknown()).optional().catch(undefined),
    fields: z.array(text).catch([]),
  })
  .catch({ fields: [] });
const Links = z.object({
  issued_at: text,
  expires_at: text,
  language: z.string().catch('es'),
  names: z.array(z.record(z.string(), z.string())).catch([]),
  claims: z.array(Claim).catch([]),
  proofs: z.array(Proof).catch([]),
  questions: z.array(Question).catch([]),
  actions: z.record(z.string(), Action).catch({}),
});

type Links = z.infer<typeof Links>;

function dateFaults({ issued_at = '', expires_at = '' }: Links): Fault[] {
  const issuedMs = Date.parse(issued_at);
  const expiresMs = Date.parse(expires_at);
  if (Number.isNaN(issuedMs) || Number.isNaN(expiresMs) || expiresMs > issuedMs) return [];
  return [fault('expires_at', 'dates_reversed')];
}

function idFaults({ claims, proofs }: Links): Fault[] {
  return [
    ...repetitions(claims.map(claim => claim.claim_id)).map(index =>
      usedTwice(['claims', index, 'claim_id']),
    ),
    ...repetitions(proofs.map(proof => proof.proof_id)).map(index =>
      usedTwice(['proofs', index, 'proof_id']),
    ),
    ...claims.flatMap(({ proof_ids }, claim) =>
      repetitions(proof_ids).map(index => usedTwice(['claims', claim, 'proof_ids', index])),
    ),
  ];
}

/** Indexes of the values that an earlier index has too. */
function repetitions(values: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>();
  const indexes: number[] = [];
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    if (seen.has(value)) indexes.push(index);
    seen.add(value);
  }
  return indexes;
}

const usedTwice = (path: readonly PropertyKey[]): Fault => fault(jsonPath(path), 'used_twice');

function danglingFaults({ claims, proofs }: Links): Fault[] {
  const ids = new Set(proofs.map(proof => proof.proof_id));
  return claims.flatMap(({ proof_ids }, claim) =>
    proof_ids.flatMap((id, index) => {
      if (id === undefined || ids.has(id)) return [];
      return [fault(jsonPath(['claims', claim, 'proof_ids', index]), 'no_such_proof', quote(id))];
    }),
  );
}

function questionFaults({ claims, questions }: Links): Fault[] {
  const ids = new Set(claims.map(claim => claim.claim_id));
  return questions.flatMap(({ claim_id }, index) => {
    if (claim_id === undefined || ids.has(claim_id)) return [];
    return [fault(jsonPath(['questions', index, 'claim_id']), 'no_such_claim')];
  });
}

/** An action with the owner's words needs them in the profile's language, which the team reads. */
function wordFaults({ actions, language }: Links): Fault[] {
  return Object.entries(actions).flatMap(([name, { words, fields }]) => {
    const faults = repetitions(fields).map(index => usedTwice(['actions', name, 'fields', index]));
    const tags = words && Object.keys(words);
    if (tags && !tags.some(tag => primaryTag(tag) === primaryTag(language)))
      faults.unshift(fault(jsonPath(['actions', name, 'words']), 'no_words', language));
    return faults;
  });
}

const primaryTag = (tag: string) => tag.toLowerCase().split('-')[0];

/** A proof that is not public may not name the client of a public proof, in whatever capitals and accents. */
function clientFaults({ proofs, names }: Links): Fault[] {
  const publicClients = new Set<string>();
  for (const { client, confidentiality } of proofs)
    if (client && confidentiality === 'public' && !isDescription(client)) publicClients.add(folded(client));
  const brandNames = names.flatMap(name => Object.values(name)).map(folded);
  return proofs.flatMap(({ client, confidentiality }, index) => {
    if (!client || confidentiality === 'public' || !publicClients.has(folded(client))) return [];
    // The brand itself may be the client: its own papers prove its claims.
    if (brandNames.some(name => name !== '' && ` ${folded(client)} `.includes(` ${name} `))) return [];
    return [fault(jsonPath(['proofs', index, 'client']), 'public_client')];
  });
}

/**
 * Several words before the comma, with no capital but the first, name nobody: "Any customer", "Molino propio,
 * Sevilla".
 */
function isDescription(client: string): boolean {
  const [beforeComma = ''] = client.trim().split(',');
  const hasSeveralWords = /\p{L}\s+\p{L}/u.test(beforeComma);
  const hasInnerCapital = /.\p{Lu}/u.test(beforeComma);
  return hasSeveralWords && !hasInnerCapital;
}

const folded = (value: string): string => wordsOf(value).join(' ');
