import canonicalize from 'canonicalize';
import { base64url, errors, FlattenedSign, flattenedVerify } from 'jose';
import * as z from 'zod';
import { quote } from '../profile/fault.ts';
import { Signature } from '../profile/schema.ts';
import { JsonError, readStrictJson } from '../profile/strict-json.ts';
import type { PrivateKey, PublicKey } from './keys.ts';

/**
 * The verdict on one signature. `unknown_key`: no key has this thumbprint. `bad_signature`: the key did not
 * sign these bytes. `alg_not_allowed`: the key is not for the algorithm of the header. `malformed`: another
 * format.
 */
export interface SignatureCheck {
  readonly outcome: 'verified' | 'unknown_key' | 'bad_signature' | 'alg_not_allowed' | 'malformed';
  /** Thumbprint of the key (RFC 7638), if the header is readable. */
  readonly kid?: string;
  /** The reason, in one line. */
  readonly reason: string;
}

/** Only these three members: with `crit`, `jwk`, `jku` or `x5c` a header would choose how it is verified. */
const Header = z.strictObject({ alg: z.string(), kid: z.string(), typ: z.literal('JOSE') });

const Signatures = z.array(z.unknown()).max(10);

/**
 * The signed bytes: the document without `signatures`, canonical by RFC 8785 (JCS).
 * @param document as `readStrictJson` returns it
 */
export function canonicalBytes(document: unknown): Uint8Array {
  const { signatures: _, ...signed } = asObject(document);
  return new TextEncoder().encode(canonicalize(signed));
}

/**
 * Signs a document: the parts of a detached JWS (RFC 7515, appendix F), whose payload is the canonical
 * document.
 * @example const { protected: header, signature } = await signDocument(document, await createPrivateKey());
 */
export async function signDocument(document: unknown, { alg, kid, jwk }: PrivateKey): Promise<Signature> {
  const jws = new FlattenedSign(canonicalBytes(document)).setProtectedHeader({ alg, kid, typ: 'JOSE' });
  const { protected: header, signature } = await jws.sign(jwk);
  return Signature.parse({ protected: header, signature });
}

/**
 * The text of a profile file: the document with one new signature of each key. Old signatures are removed.
 * @example await writeFile('brand.json', await signedText(document, [key]));
 */
export async function signedText(document: unknown, keys: readonly PrivateKey[]): Promise<string> {
  const signatures = await Promise.all(keys.map(key => signDocument(document, key)));
  return `${JSON.stringify({ ...asObject(document), signatures }, null, 2)}\n`;
}

/**
 * Checks every signature against the keys, in the document's order. Empty for an unsigned document.
 * @example const checks = await verifySignatures(document, keys); // [{ outcome: 'verified', kid: '…', … }]
 */
export async function verifySignatures(
  document: unknown,
  keys: readonly PublicKey[],
): Promise<SignatureCheck[]> {
  const signatures = Signatures.safeParse(asObject(document).signatures ?? []);
  if (!signatures.success) return [{ outcome: 'malformed', reason: '`signatures` is no list of at most 10' }];
  const payload = base64url.encode(canonicalBytes(document));
  return Promise.all(signatures.data.map(signature => verifySignature(signature, payload, keys)));
}

/** @param payload base64url of the canonical bytes */
async function verifySignature(
  candidate: unknown,
  payload: string,
  keys: readonly PublicKey[],
): Promise<SignatureCheck> {
  const parts = Signature.safeParse(candidate).data;
  const header = parts && readHeader(parts.protected);
  if (!header) {
    const reason = 'not a signature of this format: alg, kid and typ, and nothing else';
    return { outcome: 'malformed', reason };
  }
  const { alg, kid } = header;
  const key = keys.find(candidateKey => candidateKey.kid === kid);
  if (!key) {
    const reason = `signed with a key that is not in the key set: ${quote(kid)}`;
    return { outcome: 'unknown_key', kid, reason };
  }
  if (!key.algorithms.includes(alg)) {
    const reason = `the header asks for ${quote(alg)}, the key is for ${key.algorithms[0]}`;
    return { outcome: 'alg_not_allowed', kid, reason };
  }
  const genuine = await isGenuine({ ...parts, payload }, key);
  if (!genuine)
    return { outcome: 'bad_signature', kid, reason: 'the document was changed after it was signed' };
  return { outcome: 'verified', kid, reason: 'signed by this key, and not changed since' };
}

function readHeader(encoded: string): z.infer<typeof Header> | undefined {
  try {
    return Header.safeParse(readStrictJson(base64url.decode(encoded))).data;
  } catch (error) {
    if (error instanceof JsonError || error instanceof TypeError) return undefined;
    throw error;
  }
}

async function isGenuine(jws: Signature & { payload: string }, key: PublicKey): Promise<boolean> {
  // With other low bits in the last letter, one signature would have several texts (RFC 4648, 3.5).
  if (base64url.encode(base64url.decode(jws.signature)) !== jws.signature) return false;
  try {
    await flattenedVerify(jws, key.jwk, { algorithms: [...key.algorithms] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    // WebCrypto throws this if the key is not a point of its curve.
    if (error instanceof DOMException) return false;
    throw error;
  }
}

function asObject(document: unknown): Record<string, unknown> {
  const object = z.record(z.string(), z.unknown()).safeParse(document);
  if (!object.success) throw new TypeError('a signed document must be a JSON object');
  return object.data;
}
