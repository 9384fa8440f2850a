import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ROOT } from '../support/folder.ts';

/** Every document of the service with its media type, as the contract and decisions.md have them. */
export const TYPES: Readonly<Record<string, string>> = {
  '/': 'text/html; charset=utf-8',
  '/index.md': 'text/markdown; charset=utf-8',
  '/docs': 'text/html; charset=utf-8',
  '/openapi.json': 'application/json',
  '/.well-known/api-catalog': 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
  '/mcp/server-card': 'application/mcp-server-card+json',
  '/.well-known/mcp/server-card.json': 'application/json',
  '/.well-known/mcp.json': 'application/json',
  '/.well-known/mcp': 'application/json',
  '/.well-known/agent-card.json': 'application/json',
  '/.well-known/agent-skills/index.json': 'application/json',
  '/.well-known/agent-skills/ask-brand/SKILL.md': 'text/markdown; charset=utf-8',
  '/.well-known/agent-skills/request-diagnostic/SKILL.md': 'text/markdown; charset=utf-8',
  '/.well-known/agent-skills/apply-partner-program/SKILL.md': 'text/markdown; charset=utf-8',
  '/.well-known/brand.json': 'application/json',
  '/schemas/brand-profile.v1.json': 'application/schema+json',
  '/.well-known/schemas/brand-profile.v1.json': 'application/schema+json',
  '/.well-known/jwks.json': 'application/jwk-set+json',
  '/llms.txt': 'text/plain; charset=utf-8',
  '/AGENTS.md': 'text/markdown; charset=utf-8',
  '/agents.md': 'text/markdown; charset=utf-8',
  '/robots.txt': 'text/plain; charset=utf-8',
  '/sitemap.xml': 'application/xml',
  '/.well-known/security.txt': 'text/plain; charset=utf-8',
};

/** With everything published that needs a setting. */
export const FULL = { SECURITY_CONTACT: 'mailto:security@norteclaro.example' };

export const sha256 = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');

export interface Link {
  readonly href: string;
  /** Where the link says so. */
  readonly type?: string;
}

/** Every link in a document of the site and in its Link header. */
export function linksOf(url: string, response: Response, body: string): Link[] {
  return [...headerLinks(url, response.headers.get('link') ?? ''), ...bodyLinks(url, response, body)];
}

function headerLinks(url: string, header: string): Link[] {
  return [...header.matchAll(/<([^>]+)>([^,]*)/g)].map(([, target = '', parameters = '']) => ({
    href: new URL(target, url).href,
    ...typeOf(/type="([^"]+)"/.exec(parameters)?.[1]),
  }));
}

const typeOf = (type: unknown) => (typeof type === 'string' && type.includes('/') ? { type } : {});

function bodyLinks(url: string, response: Response, body: string): Link[] {
  const { origin, pathname } = new URL(url);
  // OpenAPI describes paths and does not link to them; the profile speaks of the brand's own domain.
  if (pathname === '/openapi.json' || pathname === '/.well-known/brand.json') return [];
  if (/json/.test(response.headers.get('content-type') ?? '')) return jsonLinks(JSON.parse(body), origin);
  const prose = body.replace(/```[\s\S]*?```|`[^`\n]*`|<code[^>]*>[\s\S]*?<\/code>|<pre[\s\S]*?<\/pre>/g, '');
  const absolute = [...prose.matchAll(/https?:\/\/[^\s<>"')]+/g)].map(([href]) =>
    href.replace(/[.,;:]+$/, ''),
  );
  const relative = [...prose.matchAll(/(?:href|src)="(\/[^"#]*)"/g)].map(
    ([, path = '']) => `${origin}${path}`,
  );
  return [...absolute, ...relative].filter(href => isOf(href, origin)).map(href => ({ href }));
}

const isOf = (href: string, origin: string) => href === origin || href.startsWith(`${origin}/`);

/** Addresses of this origin in a JSON value. The A2A interface takes POST alone; its client tests it. */
function jsonLinks(value: unknown, origin: string): Link[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = new Map(Object.entries(value));
  if (members.get('protocolBinding') !== undefined) return [];
  const type = members.get('type') ?? members.get('mediaType');
  return [...members].flatMap(([name, member]): Link[] => {
    if (typeof member !== 'string') return jsonLinks(member, origin);
    const isLink = name !== 'anchor' && (isOf(member, origin) || (name === 'url' && member.startsWith('/')));
    return isLink ? [{ href: new URL(member, origin).href, ...typeOf(type) }] : [];
  });
}

/** What is wrong with a link; nothing where it answers 200 with its declared type. */
export async function faultOf({ href, type }: Link): Promise<string | undefined> {
  const response = await fetch(href, { headers: type === undefined ? {} : { accept: type } });
  await response.arrayBuffer();
  const served = response.headers.get('content-type') ?? '';
  if (response.status !== 200) return `${href} answers ${response.status}`;
  const isAsDeclared = type === undefined || served === type || served.split(';', 1)[0] === type;
  return isAsDeclared ? undefined : `${href} is ${served} and not ${type}`;
}

/** JSON Schemas that others wrote for what we publish; they are no part of the project. */
const SCHEMAS = `${ROOT}../shared/schemas/`;

export const NO_SCHEMAS = existsSync(SCHEMAS)
  ? false
  : 'no ../shared/schemas (see its NOTICE.md for the sources)';

/** Faults of a document against the schema of that file, as text; empty where there are none. */
export function schemaFaults(file: string, document: unknown): string {
  const { ajv, key } = compiled.get(file) ?? compile(file);
  return outcome(ajv, ajv.validate(key, document));
}

interface Compiled {
  readonly ajv: Ajv;
  readonly key: string;
}

/** By file: compiling takes longer than all that is held against it. */
const compiled = new Map<string, Compiled>();

function compile(file: string): Compiled {
  const schema = JSON.parse(readFileSync(`${SCHEMAS}${file}`, 'utf8'));
  const ajv = /2020-12/.test(schema.$schema) ? new Ajv2020(OPTIONS) : new Ajv(OPTIONS);
  const isBundle = file === 'adcp-brand.bundle.json';
  if (isBundle) {
    for (const part of Object.values<object>(schema)) ajv.addSchema(part);
    // One of the documents that it describes: the Brand Canonical Document.
    const { $id } = schema['brand.json'];
    ajv.addSchema({ allOf: [{ $ref: $id }, { $ref: `${$id}#/oneOf/4` }] }, 'whole');
  } else ajv.addSchema(schema, 'whole');
  const key = schema.$defs?.ServerCard ? 'whole#/$defs/ServerCard' : 'whole';
  const made = { ajv, key };
  compiled.set(file, made);
  return made;
}

const OPTIONS = { strict: false, validateFormats: false, allErrors: true };

const outcome = (ajv: Ajv, valid: unknown): string => (valid === true ? '' : ajv.errorsText());
