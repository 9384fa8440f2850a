import { LineCounter, parseDocument, stringify } from 'yaml';
import * as z from 'zod';
import { decode, ExchangeError, type Exported, type Imported } from './imported.ts';

const List = z.array(z.record(z.string(), z.unknown()));
const Parts = z.looseObject({ claims: List.default([]), proofs: List.default([]) });

/** Reads `claims` and `proofs` with the members of brand.json. @throws ExchangeError with the line */
export function readYaml(bytes: Uint8Array): Imported {
  const lines = new LineCounter();
  const document = parseDocument(decode(bytes), { lineCounter: lines, version: '1.2', merge: false });
  const [error] = document.errors;
  if (error) throw new ExchangeError(`line ${lines.linePos(error.pos[0]).line}: ${error.message.split('\n')[0]}`);
  const { success, data } = Parts.safeParse(plainValue(() => document.toJS({ maxAliasCount: 0 })));
  if (!success) throw new ExchangeError('has no list "claims:" of claims with their members');
  const { claims, proofs, ...others } = data;
  return {
    claims: claims.map((members, at) => ({ members, place: `claim ${at + 1}` })),
    proofs: proofs.map((members, at) => ({ members, place: `proof ${at + 1}` })),
    known: [...claims, ...proofs].flatMap(Object.keys),
    faults: [],
    notes: Object.keys(others).map(name => `"${name}" is passed over: only claims and proofs are taken`),
  };
}

function plainValue(convert: () => unknown): unknown {
  try {
    return convert();
  } catch (error) {
    throw new ExchangeError('repeats parts by reference (&, *): write them out', { cause: error });
  }
}

/** `claims` and `proofs` as they stand in brand.json. */
export function writeYaml({ claims, proofs }: Exported): string {
  return stringify({ claims, proofs }, { lineWidth: 0, version: '1.2', aliasDuplicateObjects: false });
}
