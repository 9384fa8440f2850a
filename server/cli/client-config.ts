import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLoopback } from '../../brand/profile/loopback.ts';
import { loadProfile } from '../../brand/profile/profile.ts';
import { type ExitCode, type Output, writeLines } from '../../owner/output.ts';
import { quoted } from '../../owner/own-command.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import { readConfig } from '../config/config.ts';

interface ClientConfigOptions {
  readonly for: string;
  /** Address of a running server, with or without /mcp; default: the one this environment configures. */
  readonly url?: string | undefined;
  readonly stdio?: boolean | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}

interface Host {
  /** What to do with what is printed. */
  readonly note: string;
  readonly http: (name: string, url: string) => string;
  readonly stdio: (name: string, started: ReturnType<typeof startedHere>) => string;
}

const block = (name: string, server: object) => JSON.stringify({ mcpServers: { [name]: server } }, null, 2);

/** What each kind of client needs to reach the server. docs/mcp.md has a row for every other one. */
export const HOSTS: Readonly<Record<string, Host>> = {
  claude: {
    note: 'Run it in a shell; claude mcp list shows the result.',
    http: (name, url) => shell(['claude', 'mcp', 'add', '--transport', 'http', name, url]),
    stdio(name, { command, args, env = {} }) {
      const set = Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]);
      return shell(['claude', 'mcp', 'add', name, ...set, '--', command, ...args]);
    },
  },
  json: {
    note: 'Put it into the settings file of the client; docs/mcp.md says where, and what each one calls it.',
    http: (name, url) => block(name, { type: 'http', url }),
    stdio: block,
  },
};

/**
 * `aval client-config --for HOST [--url URL | --stdio]`: prints what connects a host to this server.
 * @throws Error for a host that is not known, or a URL that is none
 */
export async function clientConfig(
  options: ClientConfigOptions,
  { stdout, stderr }: Output,
): Promise<ExitCode> {
  const { url, stdio, environment = process.env } = options;
  const host = Object.hasOwn(HOSTS, options.for) ? HOSTS[options.for] : undefined;
  if (!host) throw new Error(`--for must be one of ${Object.keys(HOSTS).join(', ')}`);
  if (stdio && url !== undefined) throw new Error('give --url or --stdio, not both');
  const { baseUrl, host: listensOn, port, brandFile } = readConfig(environment);
  const own = baseUrl ?? `http://${listensOn}:${port}`;
  const address = endpoint(url ?? own);
  const name = await nameOf(address, own, brandFile);
  writeLines(stdout, [stdio ? host.stdio(name, startedHere(environment)) : host.http(name, address)]);
  writeLines(stderr, [host.note]);
  return 0;
}

/** Two servers of one host are told apart by whose they are: by the profile served here, or by where the other one is. */
async function nameOf(address: string, own: string, brandFile: string): Promise<string> {
  const { host } = new URL(address);
  if (!isLoopback(host) && host !== new URL(own).host) return slug(host);
  const loaded = await loadProfile(brandFile).catch(() => undefined);
  return loaded ? slug(loaded.profile.id) : SERVICE.name;
}

const slug = (text: string) => text.replace(/[^\w-]+/g, '_').slice(0, 64);

/** Settings that name a file or folder: the host starts the server elsewhere, so they become absolute. */
const PATHS = ['BRAND_FILE', 'BRAND_JWKS', 'DATA_DIR', 'SMTP_URL_FILE', 'MAILGUN_API_KEY_FILE'];

/** What a submission needs to become a mail. */
const MAIL = [
  'SMTP_URL',
  'MAILGUN_API_KEY',
  'MAILGUN_DOMAIN',
  'MAILGUN_URL',
  'ALLOW_INSECURE',
  'MAIL_FROM',
  'MAIL_TO',
];

/** This installation, with the profile, the folder and the mail that are configured here. */
function startedHere(environment: NodeJS.ProcessEnv) {
  const env: Record<string, string> = {};
  for (const variable of [...PATHS, ...MAIL]) {
    const value = environment[variable]?.trim();
    if (value) env[variable] = PATHS.includes(variable) ? resolve(value) : withoutSecret(variable, value);
  }
  const cli = fileURLToPath(import.meta.resolve('#package/dist/server/cli.js'));
  return { command: 'node', args: [cli, 'stdio'], ...(Object.keys(env).length > 0 && { env }) };
}

/** What is printed ends in a settings file or a shell's history: a name in capitals stands for what only its owner may read. */
function withoutSecret(variable: string, value: string): string {
  if (variable === 'MAILGUN_API_KEY') return 'YOUR_API_KEY';
  return variable === 'SMTP_URL' ? value.replace(/^(\w+:\/\/[^/@]*):.*@/, '$1:YOUR_PASSWORD@') : value;
}

function endpoint(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Error('--url must be an http or https address');
  const parsed = new URL(url);
  return parsed.pathname === '/' ? new URL('/mcp', parsed).href : parsed.href;
}

/** One line for a POSIX shell. */
const shell = (words: readonly string[]) => words.map(quoted).join(' ');
