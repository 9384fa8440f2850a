import { type Fault, fault, jsonPath, quote } from './fault.ts';
import type { Profile } from './schema.ts';
import { primaryTag, wordsOf } from './texts.ts';

/**
 * Faults between the parts of a profile: dates in the wrong order, ids used twice, links to nothing, a client
 * named by a proof that is not public.
 */
export function linkFaults(profile: Profile): Fault[] {
  return [
    ...dateFaults(profile),
    ...idFaults(profile),
    ...danglingFaults(profile),
    ...questionFaults(profile),
    ...wordFaults(profile),
    ...clientFaults(profile),
  ];
}

function dateFaults({ issued_at, expires_at }: Profile): Fault[] {
  if (Date.parse(expires_at) > Date.parse(issued_at)) return [];
  return [fault('expires_at', 'dates_reversed')];
}

function idFaults({ claims, proofs }: Profile): Fault[] {
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
function repetitions(values: readonly string[]): number[] {
  const seen = new Set<string>();
  const indexes: number[] = [];
  for (const [index, value] of values.entries()) {
    if (seen.has(value)) indexes.push(index);
    seen.add(value);
  }
  return indexes;
}

const usedTwice = (path: readonly PropertyKey[]): Fault => fault(jsonPath(path), 'used_twice');

function danglingFaults({ claims, proofs }: Profile): Fault[] {
  const ids = new Set(proofs.map(proof => proof.proof_id));
  return claims.flatMap(({ proof_ids }, claim) =>
    proof_ids.flatMap((id, index) => {
      if (ids.has(id)) return [];
      return [fault(jsonPath(['claims', claim, 'proof_ids', index]), 'no_such_proof', quote(id))];
    }),
  );
}

function questionFaults({ claims, questions = [] }: Profile): Fault[] {
  const ids = new Set(claims.map(claim => claim.claim_id));
  return questions.flatMap(({ claim_id }, index) => {
    if (ids.has(claim_id)) return [];
    return [fault(jsonPath(['questions', index, 'claim_id']), 'no_such_claim')];
  });
}

/** An action with the owner's words needs them in the profile's language, which the team reads. */
function wordFaults({ actions = {}, language }: Profile): Fault[] {
  return Object.entries(actions).flatMap(([name, { words, fields = [] } = {}]) => {
    const faults = repetitions(fields).map(index => usedTwice(['actions', name, 'fields', index]));
    const tags = words && Object.keys(words);
    if (tags && !tags.some(tag => primaryTag(tag) === primaryTag(language)))
      faults.unshift(fault(jsonPath(['actions', name, 'words']), 'no_words', language));
    return faults;
  });
}

/** A proof that is not public may not name the client of a public proof, in whatever capitals and accents. */
function clientFaults({ proofs, names }: Profile): Fault[] {
  const publicClients = new Set<string>();
  for (const { client, confidentiality } of proofs)
    if (confidentiality === 'public' && !isDescription(client)) publicClients.add(folded(client));
  const brandNames = names.flatMap(name => Object.values(name)).map(folded);
  return proofs.flatMap(({ client, confidentiality }, index) => {
    if (confidentiality === 'public' || !publicClients.has(folded(client))) return [];
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
