import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import * as z from 'zod';
import { jsonPath, renderFault } from '../profile/fault.ts';
import { readStrictJson } from '../profile/strict-json.ts';

/**
 * The algorithms of a key by its curve: the first signs, all verify. The key decides, so a header with
 * `none`, or with HS256 and the public key as secret (RFC 8725, 2.1), matches no key.
 */
const ALGORITHMS = {
  'P-256': ['ES256'],
  // RFC 9864 renames EdDSA to Ed25519 on this curve. Older libraries know only the old name.
  Ed25519: ['EdDSA', 'Ed25519'],
} as const;

type Algorithm = 'ES256' | 'EdDSA';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must be 32 bytes in base64url');
const ec = { kty: z.literal('EC'), crv: z.literal('P-256'), x: coordinate, y: coordinate };
const okp = { kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: coordinate };

const PublicJwk = z.discriminatedUnion('kty', [z.object(ec), z.object(okp)]);

/** Members that tell whether a key may verify (RFC 7517, 4.2 to 4.4). */
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

type PrivateJwk = z.infer<typeof PrivateJwk>;

/** A key that may verify. Its `kid` is its thumbprint (RFC 7638); the `kid` in the set is ignored. */
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

/** A key or key set is broken. The message has one line for each fault. */
export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/**
 * Reads a JWK set (RFC 7517) and skips keys of other types, curves and purposes.
 * @throws KeyError for bytes that are no set, and for a private key, which would be published
 * @example const keys = await readKeySet(await readFile('brand.jwks.json'));
 */
export async function readKeySet(bytes: Uint8Array): Promise<PublicKey[]> {
  const { keys } = parse(KeySet, bytes);
  const privateIndex = keys.findIndex(key => 'd' in key || 'k' in key);
  if (privateIndex >= 0)
    throw new KeyError(
      `keys[${privateIndex}]: a private key in a public key set: replace it, it is no longer secret`,
    );
  const publicKeys: PublicKey[] = [];
  for (const key of keys) {
    const purpose = ForVerifying.safeParse(key).data;
    const jwk = PublicJwk.safeParse(key).data;
    if (!purpose || !jwk) continue;
    const algorithms: readonly string[] = ALGORITHMS[jwk.crv];
    if (purpose.alg !== undefined && !algorithms.includes(purpose.alg)) continue;
    publicKeys.push({ kid: await calculateJwkThumbprint(jwk), algorithms, jwk });
  }
  return publicKeys;
}

/**
 * @throws KeyError unless the bytes are a private JWK over P-256 or Ed25519
 * @example const key = await readPrivateKey(await readFile('brand.key.json'));
 */
export async function readPrivateKey(bytes: Uint8Array): Promise<PrivateKey> {
  const jwk = PrivateJwk.safeParse(readJson(bytes)).data;
  if (!jwk)
    throw new KeyError(
      'is not a private key (JWK over P-256 or Ed25519); aval sign --new-key FILE makes one',
    );
  return { kid: await calculateJwkThumbprint(jwk), alg: ALGORITHMS[jwk.crv][0], jwk };
}

/** Makes a new key. @example const key = await createPrivateKey(); // ES256 */
export async function createPrivateKey(alg: Algorithm = 'ES256'): Promise<PrivateKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = PrivateJwk.parse(await exportJWK(privateKey));
  return { kid: await calculateJwkThumbprint(jwk), alg, jwk };
}

/** The public half of a key. */
export function publicKeyOf({ kid, jwk }: PrivateKey): PublicKey {
  return { kid, algorithms: ALGORITHMS[jwk.crv], jwk: PublicJwk.parse(jwk) };
}

/**
 * Adds the public halves of keys to a key set. Its old keys stay.
 * @param published bytes of the old set, if there is one
 * @returns the new set as JSON
 * @throws KeyError if the old bytes are not a key set
 * @example const keySet = await addToKeySet([key], await readFile('brand.jwks.json'));
 */
export async function addToKeySet(keys: readonly PrivateKey[], published?: Uint8Array): Promise<string> {
  const publishedKeys = published ? await readKeySet(published) : [];
  const entries: object[] = published ? parse(KeySet, published).keys : [];
  for (const { kid, algorithms, jwk } of keys.map(publicKeyOf)) {
    if (publishedKeys.some(key => key.kid === kid)) continue;
    entries.push({ ...jwk, kid, alg: algorithms[0], use: 'sig', key_ops: ['verify'] });
  }
  return `${JSON.stringify({ keys: entries }, null, 2)}\n`;
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

/**
 * The file of a profile's public keys: FILE.jwks.json beside FILE.json.
 * @example keysBeside('acme/brand.json'); // 'acme/brand.jwks.json'
 */
export function keysBeside(path: string): string {
  return path.replace(/(\.json)?$/, '.jwks.json');
}
