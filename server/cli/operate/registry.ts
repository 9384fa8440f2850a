import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brandName, loadProfile } from '../../../brand/profile/profile.ts';
import { registryServer } from '../../../discovery/server-card.ts';
import { type ExitCode, type Output, writeLines } from '../../../owner/terminal/output.ts';
import { readConfig } from '../../config/config.ts';

/**
 * `aval registry`: server.json for the official MCP registry; with --auth, the PEM file of the Ed25519 key that proves the
 * domain, the line of /.well-known/mcp-registry-auth.
 * @throws Error where BASE_URL or the key cannot be used
 */
export async function registry(
  { auth }: { readonly auth?: string },
  environment: NodeJS.ProcessEnv,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  if (auth === undefined) {
    stdout.write(await serverJson(environment));
    writeLines(stderr, ['publish it with mcp-publisher; the registry lists what the domain proves with --auth']);
    return 0;
  }
  writeLines(stdout, [authLine(await readFile(auth, 'utf8'), auth)]);
  writeLines(stderr, ['set it as MCP_REGISTRY_AUTH: it is served as /.well-known/mcp-registry-auth']);
  return 0;
}

async function serverJson(environment: NodeJS.ProcessEnv): Promise<string> {
  const { baseUrl, brandFile } = readConfig(environment);
  if (!baseUrl?.startsWith('https:')) throw new Error('BASE_URL must be the public https address of the server');
  const { profile } = await loadProfile(brandFile);
  return registryServer({ baseUrl, brandName: brandName(profile), profile });
}

/** The public half alone, whichever half the file holds. */
function authLine(pem: string, file: string): string {
  const { crv, x = '' } = publicKey(pem);
  if (crv !== 'Ed25519')
    throw new Error(`${file} must be an Ed25519 key: openssl genpkey -algorithm Ed25519 -out key.pem`);
  return `v=MCPv1; k=ed25519; p=${Buffer.from(x, 'base64url').toString('base64')}`;
}

function publicKey(pem: string): JsonWebKey {
  try {
    return createPublicKey(pem).export({ format: 'jwk' });
  } catch {
    return {};
  }
}
