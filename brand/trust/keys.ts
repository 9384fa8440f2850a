import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import * as z from 'zod';
import { jsonPath, renderFault } from '../profile/fault.ts';
import { readStrictJson } from '../profile/strict-json.ts';

/**
 * The algorithms of a key: the first one signs, all of them verify. The key decides, so a header with `none`, or HS256 with
 * the public key as secret (RFC 8725, section 2.1), matches no key.
 */
const ALGORITHMS = {
  'P-256': ['ES256'],
  // RFC 9864 renames EdDSA to Ed25519 on this curve. Older libraries know only the old name.
  Ed25519: ['EdDSA', 'Ed25519'],
} as const;

export type Algorithm = 'ES256' | 'EdDSA';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url');
const ec = { kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate };
const okp = { kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate };

const PublicJwk = z.discriminatedUnion('kty', [z.object(ec), z.object(okp)]);

/** Whether a key may verify: its set states use and algorithm (RFC 7517, sections 4.2 to 4.4). */
const ForVerifying = z.looseObject({
  alg: z.string().optional(),
  use: z.literal('sig').optional(),
  key_ops: z
    .array(z.string())
    .refine(operations => operations.includes('verify'))
    .optional(),
});
const PrivateJwk = z.discriminatedUnion('kty', [
  z.object({ ...ec, d: coordinate }),
  z.object({ ...okp, d: coordinate }),
]);
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

export type PrivateJwk = z.infer<typeof PrivateJwk>;

/** A key that may verify. Its thumbprint is its name; the `kid` of the set is ignored. */
export interface PublicKey {
  readonly kid: string;
  readonly algorithms: readonly string[];
  readonly jwk: z.infer<typeof PublicJwk>;
}

export interface PrivateKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly jwk: PrivateJwk;
}

/** Unusable key material, one line a fault. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/**
 * Reads a JWK set (RFC 7517) and skips keys of other types, curves and purposes.
 * @throws KeyError also for a private key: the set is published, so that key is no longer secret
 */
export async function readKeySet(bytes: Uint8Array): Promise<PublicKey[]> {
  const { keys } = parse(KeySet, bytes);
  const exposed = keys.findIndex(key => 'd' in key || 'k' in key);
  if (exposed >= 0)
    throw new KeyError(
      `keys[${exposed}]: a private key in a public key set: replace it, it is no longer secret`,
    );
  const read = keys.map(async key => {
    const stated = ForVerifying.safeParse(key).data;
    const jwk = PublicJwk.safeParse(key).data;
    if (!stated || !jwk) return [];
    const publicKey = await toPublicKey(jwk);
    return stated.alg === undefined || publicKey.algorithms.includes(stated.alg) ? [publicKey] : [];
  });
  return (await Promise.all(read)).flat();
}

/** @throws KeyError unless the bytes are a private JWK over P-256 or Ed25519 */
export async function readPrivateKey(bytes: Uint8Array): Promise<PrivateKey> {
  const jwk = PrivateJwk.safeParse(readJson(bytes)).data;
  if (!jwk)
    throw new KeyError(
      'is not a private key (JWK over P-256 or Ed25519); aval sign --new-key FILE makes one',
    );
  return { kid: await calculateJwkThumbprint(jwk), alg: ALGORITHMS[jwk.crv][0], jwk };
}

export async function createPrivateKey(alg: Algorithm = 'ES256'): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = PrivateJwk.parse(await exportJWK(privateKey));
  return { kid: await calculateJwkThumbprint(jwk), alg, jwk };
}

/** The public half of a key. */
export function publicKeyOf({ jwk }: PrivateKey): Promise<PublicKey> {
  return toPublicKey(PublicJwk.parse(jwk));
}

/**
 * Adds a key to a key set and keeps the others.
 * @param published bytes of the old set, if there is one
 * @throws KeyError if they are not a key set
 */
export async function addToKeySet(
  { kid, algorithms, jwk }: PublicKey,
  published?: Uint8Array,
): Promise<string> {
  const known = published ? await readKeySet(published) : [];
  const keys = published ? parse(KeySet, published).keys : [];
  const added = { ...jwk, kid, alg: algorithms[0], use: 'sig', key_ops: ['verify'] };
  const all = known.some(key => key.kid === kid) ? keys : [...keys, added];
  return `${JSON.stringify({ keys: all }, null, 2)}\n`;
}

async function toPublicKey(jwk: PublicKey['jwk']): Promise<PublicKey> {
  return { kid: await calculateJwkThumbprint(jwk), algorithms: ALGORITHMS[jwk.crv], jwk };
}

function parse<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.output<Schema> {
  const result = schema.safeParse(readJson(bytes));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    renderFault({ path: jsonPath(path), message }),
  );
  throw new KeyError(faults.join('\n'));
}

const readJson = (bytes: Uint8Array): unknown =>
  readStrictJson(bytes, cause => new KeyError(cause.message, { cause }));

/** The file of a profile's public keys: FILE.jwks.json beside FILE.json. */
export function keysBeside(path: string): string {
  return path.replace(/(\.json)?$/, '.jwks.json');
}
