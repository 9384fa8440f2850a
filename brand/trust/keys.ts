import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import * as z from 'zod';
import { jsonPath, renderFault } from '../profile/fault.ts';
import { JsonError, readStrictJson } from '../profile/strict-json.ts';

/**
 * The algorithms a key may be used with: the first one signs, all of them verify. The key decides, so a header that names
 * `none`, or HS256 with the public key as its secret (RFC 8725, section 2.1), finds no key to be verified with.
 */
const ALGORITHMS = {
  'P-256': ['ES256'],
  // RFC 9864 renames EdDSA over this curve to Ed25519; older libraries know the old name alone.
  Ed25519: ['EdDSA', 'Ed25519'],
} as const;

export type Algorithm = 'ES256' | 'EdDSA';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url');
const ec = { kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate };
const okp = { kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate };

const PublicJwk = z.discriminatedUnion('kty', [z.object(ec), z.object(okp)]);

/** A key set says what a key is for (RFC 7517, sections 4.2 to 4.4): one for encryption verifies nothing. */
const ForVerifying = z.looseObject({
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

export type PublicJwk = z.infer<typeof PublicJwk>;
export type PrivateJwk = z.infer<typeof PrivateJwk>;

/** A key that may verify: its name is its thumbprint, whatever the key set calls it. */
export interface PublicKey {
  readonly kid: string;
  readonly algorithms: readonly string[];
  readonly jwk: PublicJwk;
}

export interface PrivateKey {
  readonly kid: string;
  readonly alg: Algorithm;
  readonly jwk: PrivateJwk;
}

/** The key material cannot be used; one line per fault. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/**
 * Reads a JWK set (RFC 7517). Keys of other types, curves and purposes are left out.
 * @throws KeyError also where a key is private: a key set is published, and such a key is lost
 */
export async function readKeySet(bytes: Uint8Array): Promise<PublicKey[]> {
  const { keys } = parse(KeySet, bytes);
  const exposed = keys.findIndex(key => 'd' in key || 'k' in key);
  if (exposed >= 0)
    throw new KeyError(`keys[${exposed}]: a private key in a public key set: replace it, it is no secret`);
  const usable = keys.flatMap(key =>
    ForVerifying.safeParse(key).success ? (PublicJwk.safeParse(key).data ?? []) : [],
  );
  return Promise.all(usable.map(toPublicKey));
}

/** @throws KeyError where the bytes are no private JWK over P-256 or Ed25519 */
export async function readPrivateKey(bytes: Uint8Array): Promise<PrivateKey> {
  const jwk = PrivateJwk.safeParse(readJson(bytes)).data;
  if (!jwk) throw new KeyError('is no private key (JWK over P-256 or Ed25519); aval keygen makes one');
  return { kid: await calculateJwkThumbprint(jwk), alg: ALGORITHMS[jwk.crv][0], jwk };
}

export async function createPrivateKey(alg: Algorithm = 'ES256'): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = PrivateJwk.parse(await exportJWK(privateKey));
  return { kid: await calculateJwkThumbprint(jwk), alg, jwk };
}

/** The half of a key that verifies. */
export function publicKeyOf({ jwk }: PrivateKey): Promise<PublicKey> {
  return toPublicKey(PublicJwk.parse(jwk));
}

/**
 * The text of a key set with one key more; what stood in it stays.
 * @param published bytes of the set so far, if there is one
 * @throws KeyError where these are no key set
 */
export async function addToKeySet(key: PublicKey, published?: Uint8Array): Promise<string> {
  const known = published ? await readKeySet(published) : [];
  const keys = published ? parse(KeySet, published).keys : [];
  const all = known.some(({ kid }) => kid === key.kid) ? keys : [...keys, publishedJwk(key)];
  return `${JSON.stringify({ keys: all }, null, 2)}\n`;
}

function publishedJwk({ kid, algorithms, jwk }: PublicKey): Record<string, unknown> {
  return { ...jwk, kid, alg: algorithms[0], use: 'sig', key_ops: ['verify'] };
}

async function toPublicKey(jwk: PublicJwk): Promise<PublicKey> {
  return { kid: await calculateJwkThumbprint(jwk), algorithms: ALGORITHMS[jwk.crv], jwk };
}

function parse<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.output<Schema> {
  const result = schema.safeParse(readJson(bytes));
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => renderFault({ path: jsonPath(path), message }));
  throw new KeyError(faults.join('\n'));
}

function readJson(bytes: Uint8Array): unknown {
  try {
    return readStrictJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) throw new KeyError(error.message, { cause: error });
    throw error;
  }
}

/** Where the public keys of a profile are looked for: beside FILE.json the file FILE.jwks.json. */
export function keysBeside(path: string): string {
  return path.replace(/(\.json)?$/, '.jwks.json');
}
