import * as z from 'zod';
import { type Fault, fault, jsonPath, quote } from './fault.ts';
import { wordsOf } from './folded-text.ts';

/**
 * What does not fit together in a document: dates, ids that stand twice, links that lead nowhere, a client who is named
 * where he may not be. Looks at whatever is there, so that faults of the shape hide none of these.
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
  const [issued, expires] = [Date.parse(issued_at), Date.parse(expires_at)];
  if (Number.isNaN(issued) || Number.isNaN(expires) || expires > issued) return [];
  return [fault('expires_at', 'dates_reversed')];
}

function idFaults({ claims, proofs }: Links): Fault[] {
  return [
    ...repeated(claims.map(claim => claim.claim_id)).map(index => twice(['claims', index, 'claim_id'])),
    ...repeated(proofs.map(proof => proof.proof_id)).map(index => twice(['proofs', index, 'proof_id'])),
    ...claims.flatMap(({ proof_ids }, claim) =>
      repeated(proof_ids).map(index => twice(['claims', claim, 'proof_ids', index])),
    ),
  ];
}

/** Positions of the values that stood earlier already. */
function repeated(values: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) =>
    value !== undefined && seen.size === seen.add(value).size ? [index] : [],
  );
}

const twice = (path: readonly PropertyKey[]): Fault => fault(jsonPath(path), 'used_twice');

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

/** An action in the owner's words has them in the profile's language: the team reads that one. */
function wordFaults({ actions, language }: Links): Fault[] {
  return Object.entries(actions).flatMap(([name, { words, fields }]) => [
    ...(words === undefined || Object.keys(words).some(tag => primary(tag) === primary(language))
      ? []
      : [fault(jsonPath(['actions', name, 'words']), 'no_words', language)]),
    ...repeated(fields).map(index => twice(['actions', name, 'fields', index])),
  ]);
}

const primary = (tag: string) => tag.toLowerCase().split('-')[0];

/** A proof that is not public may not repeat the client of a public one, whatever the capitals and accents. */
function clientFaults({ proofs, names }: Links): Fault[] {
  const publicClients = new Set<string>();
  for (const { client, confidentiality } of proofs)
    if (client && confidentiality === 'public' && !isDescription(client)) publicClients.add(folded(client));
  const ownNames = names.flatMap(name => Object.values(name)).map(folded);
  return proofs.flatMap(({ client, confidentiality }, index) => {
    if (!client || confidentiality === 'public' || !publicClients.has(folded(client))) return [];
    // The brand's own papers may prove its claims.
    if (ownNames.some(name => name !== '' && ` ${folded(client)} `.includes(` ${name} `))) return [];
    return [fault(jsonPath(['proofs', index, 'client']), 'public_client')];
  });
}

/** "Any customer", "Molino propio, Sevilla": several words before the comma, and no capital but the first, name nobody. */
function isDescription(client: string): boolean {
  const [who = ''] = client.trim().split(',');
  return /\p{L}\s+\p{L}/u.test(who) && !/.\p{Lu}/u.test(who);
}

const folded = (value: string): string => wordsOf(value).join(' ');
