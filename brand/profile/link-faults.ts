import * as z from 'zod';
import { isOwnName, looksNamed, plainWords } from './client-name.ts';
import { type Fault, fault, jsonPath, quote } from './fault.ts';

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
    ...repeated(claims.map(claim => claim.claim_id)).map(at => repeatedFault(['claims', at, 'claim_id'])),
    ...repeated(proofs.map(proof => proof.proof_id)).map(at => repeatedFault(['proofs', at, 'proof_id'])),
    ...claims.flatMap(({ proof_ids }, claim) =>
      repeated(proof_ids).map(at => repeatedFault(['claims', claim, 'proof_ids', at])),
    ),
  ];
}

/** Positions of the values that stood earlier already. */
function repeated(values: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, at) =>
    value !== undefined && seen.size === seen.add(value).size ? [at] : [],
  );
}

function repeatedFault(path: readonly PropertyKey[]): Fault {
  return fault(jsonPath(path), 'used_twice');
}

function danglingFaults({ claims, proofs }: Links): Fault[] {
  const known = new Set(proofs.map(proof => proof.proof_id));
  return claims.flatMap(({ proof_ids }, claim) =>
    proof_ids.flatMap((id, at) => {
      if (id === undefined || known.has(id)) return [];
      return [fault(jsonPath(['claims', claim, 'proof_ids', at]), 'no_such_proof', quote(id))];
    }),
  );
}

function questionFaults({ claims, questions }: Links): Fault[] {
  const known = new Set(claims.map(claim => claim.claim_id));
  return questions.flatMap(({ claim_id }, at) => {
    if (claim_id === undefined || known.has(claim_id)) return [];
    return [fault(jsonPath(['questions', at, 'claim_id']), 'no_such_claim')];
  });
}

/** An action in the owner's words has them in the profile's language: the team reads that one. */
function wordFaults({ actions, language }: Links): Fault[] {
  return Object.entries(actions).flatMap(([name, { words, fields }]) => [
    ...(words === undefined || Object.keys(words).some(tag => primary(tag) === primary(language))
      ? []
      : [fault(jsonPath(['actions', name, 'words']), 'no_words', language)]),
    ...repeated(fields).map(at => repeatedFault(['actions', name, 'fields', at])),
  ]);
}

const primary = (tag: string) => tag.toLowerCase().split('-')[0];

/** Who is named in a public proof is a name: the same words in one that is not public are no guess. The brand may name itself. */
function clientFaults({ proofs, names, language }: Links): Fault[] {
  const isPublic = (proof: { confidentiality?: string | undefined }) => proof.confidentiality === 'public';
  const named = new Set(
    proofs.flatMap(proof =>
      isPublic(proof) && looksNamed(proof.client ?? '', language) ? plainWords(proof.client ?? '') : [],
    ),
  );
  return proofs.flatMap((proof, at) => {
    if (isPublic(proof) || !proof.client || !named.has(plainWords(proof.client))) return [];
    if (isOwnName(proof.client, names)) return [];
    return [fault(jsonPath(['proofs', at, 'client']), 'public_client')];
  });
}
