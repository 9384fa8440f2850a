import * as z from 'zod';
import { looksNamed, plainWords } from './client-name.ts';
import { type Fault, jsonPath, quote } from './fault.ts';

/**
 * What does not fit together in a document: dates, ids that stand twice, links that lead nowhere, a client who is named
 * where he may not be. Looks at whatever is there, so that faults of the shape hide none of these.
 */
export function linkFaults(document: unknown): Fault[] {
  const links = Links.parse(document);
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
  .object({ words: z.record(z.string(), z.unknown()).optional().catch(undefined), fields: z.array(text).catch([]) })
  .catch({ fields: [] });
const Links = z
  .object({
    issued_at: text,
    expires_at: text,
    language: z.string().catch('es'),
    claims: z.array(Claim).catch([]),
    proofs: z.array(Proof).catch([]),
    questions: z.array(Question).catch([]),
    actions: z.record(z.string(), Action).catch({}),
  })
  .catch({ language: 'es', claims: [], proofs: [], questions: [], actions: {} });

type Links = z.infer<typeof Links>;

function dateFaults({ issued_at = '', expires_at = '' }: Links): Fault[] {
  const [issued, expires] = [Date.parse(issued_at), Date.parse(expires_at)];
  if (Number.isNaN(issued) || Number.isNaN(expires) || expires > issued) return [];
  return [{ path: 'expires_at', message: 'is not after issued_at', fix: 'aval sign --renew 1y sets both' }];
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
  return values.flatMap((value, at) => (value !== undefined && seen.size === seen.add(value).size ? [at] : []));
}

function repeatedFault(path: readonly PropertyKey[]): Fault {
  return { path: jsonPath(path), message: 'used twice', fix: 'give each its own id, and list each once' };
}

function danglingFaults({ claims, proofs }: Links): Fault[] {
  const known = new Set(proofs.map(proof => proof.proof_id));
  return claims.flatMap(({ proof_ids }, claim) =>
    proof_ids.flatMap((id, at) => {
      if (id === undefined || known.has(id)) return [];
      const path = jsonPath(['claims', claim, 'proof_ids', at]);
      return [{ path, message: 'no such proof', fix: `add a proof with the id ${quote(id)}, or remove the link` }];
    }),
  );
}

function questionFaults({ claims, questions }: Links): Fault[] {
  const known = new Set(claims.map(claim => claim.claim_id));
  return questions.flatMap(({ claim_id }, at) => {
    if (claim_id === undefined || known.has(claim_id)) return [];
    const fix = 'name the claim that answers the question, or remove the question';
    return [{ path: jsonPath(['questions', at, 'claim_id']), message: 'no such claim', fix }];
  });
}

/** An action in the owner's words has them in the profile's language: the team reads that one. */
function wordFaults({ actions, language }: Links): Fault[] {
  return Object.entries(actions).flatMap(([name, { words, fields }]) => [
    ...(words === undefined || Object.keys(words).some(tag => primary(tag) === primary(language))
      ? []
      : [
          {
            path: jsonPath(['actions', name, 'words']),
            message: `has no words in the language of the profile (${language})`,
            fix: `add them as "${language}"`,
          },
        ]),
    ...repeated(fields).map(at => repeatedFault(['actions', name, 'fields', at])),
  ]);
}

const primary = (tag: string) => tag.toLowerCase().split('-')[0];

/** Who is named in a public proof is a name: the same words in one that is not public are no slip of a guess. */
function clientFaults({ proofs, language }: Links): Fault[] {
  const isPublic = (proof: { confidentiality?: string | undefined }) => proof.confidentiality === 'public';
  const named = new Set(
    proofs.flatMap(proof =>
      isPublic(proof) && looksNamed(proof.client ?? '', language) ? plainWords(proof.client ?? '') : [],
    ),
  );
  return proofs.flatMap((proof, at) => {
    if (isPublic(proof) || !proof.client || !named.has(plainWords(proof.client))) return [];
    const message = 'names a client whom a public proof names, though this proof is not public';
    const fix = 'describe the client instead: "a maker of canned food, Galicia"; or make the proof public';
    return [{ path: jsonPath(['proofs', at, 'client']), message, fix }];
  });
}
