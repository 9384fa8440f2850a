import { createHash } from 'node:crypto';
import { SERVICE } from '../../tools/service-facts.ts';
import { messagesByTag } from '../../tools/words/language.ts';
import { type Documents, find, jsonDocument, mediaTypeOf, targets } from './document.ts';
import { serverSentence } from './guidance.ts';
import { domain, issuedAt } from './identity.ts';
import type { Site } from './site.ts';

interface CatalogRow {
  /** The first of them that is published. */
  readonly paths: readonly string[];
  /** Namespace and name of its identifier. */
  readonly id: string;
  readonly title: string;
  readonly description: (site: Site) => string;
  readonly tags: readonly string[];
  /** Whether it can do more than answer. */
  readonly offersActions: boolean;
}

const BRAND_PATH = '/.well-known/brand.json';

const ROWS: readonly CatalogRow[] = [
  {
    paths: ['/mcp/server-card', '/.well-known/mcp/server-card.json'],
    id: `mcp:${SERVICE.name}`,
    title: 'MCP server',
    description: ({ tools }) => `Tools: ${tools.map(({ name }) => name).join(', ')}.`,
    tags: ['mcp', 'brand', 'retrieval'],
    offersActions: true,
  },
  {
    paths: ['/.well-known/agent-card.json'],
    id: `a2a:${SERVICE.name}`,
    title: 'A2A agent',
    description: () => 'Read-only: answers a message with the matching claims of the brand profile.',
    tags: ['a2a', 'brand', 'retrieval', 'read-only'],
    offersActions: false,
  },
  {
    paths: ['/openapi.json'],
    id: 'api:openapi',
    title: 'REST API',
    description: () => 'The same over plain HTTP.',
    tags: ['openapi', 'rest', 'brand'],
    offersActions: true,
  },
  {
    paths: ['/.well-known/agent-skills/index.json'],
    id: 'skills:index',
    title: 'agent skills',
    description: ({ tools }) => `When and how to use ${tools.map(({ name }) => name).join(', ')}.`,
    tags: ['skills', 'brand'],
    offersActions: true,
  },
  {
    paths: [BRAND_PATH],
    id: 'brand:profile',
    title: 'brand profile',
    description: () => 'The claims of the brand with their boundaries and proofs.',
    tags: ['brand', 'claims', 'proofs'],
    offersActions: false,
  },
];

/** The AI catalog (AI Catalog 1.0 as profiled by ARD v0.9; `mediaType` is the older name of `type`). */
export function aiCatalog(site: Site, documents: Documents): string {
  const [documentation] = targets(site, documents, '/docs', '/llms.txt');
  const trustManifest = manifest(site);
  return jsonDocument({
    specVersion: '1.0',
    host: {
      displayName: site.serverInfo.title,
      identifier: domain(site),
      ...(documentation && { documentationUrl: documentation.href }),
      ...(trustManifest && { trustManifest }),
    },
    entries: ROWS.flatMap(row => entry(row, site, documents)),
  });
}

function entry(
  { paths, id, title, offersActions, ...row }: CatalogRow,
  site: Site,
  documents: Documents,
): object[] {
  const document = paths.map(path => find(documents, path)).find(published => published !== undefined);
  // The agent card stays published without its endpoint, but it is no agent then.
  if (!document || (id.startsWith('a2a') && site.off.has('a2a'))) return [];
  const issued = issuedAt(site);
  const queries = representativeQueries(site, offersActions);
  const type = document.alternate?.contentType ?? mediaTypeOf(document.contentType);
  return [
    {
      identifier: `urn:air:${domain(site)}:${id}`,
      displayName: `${site.serverInfo.title}: ${title}`,
      type,
      mediaType: type,
      url: `${site.baseUrl}${document.path}`,
      ...row,
      description: `${row.description(site)} ${serverSentence(site)}`,
      ...(queries.length > 0 && { representativeQueries: queries }),
      ...versionOf(document.path, site),
      ...(issued && { updatedAt: issued.toISOString() }),
    },
  ];
}

/** At most five (ARD v0.9): the owner's questions that are answered, then the titles of the actions. */
function representativeQueries(
  { examples, isExpired, tools, words }: Site,
  offersActions: boolean,
): string[] {
  const known = isExpired() ? [] : examples.filter(({ language }) => messagesByTag(language) === words);
  const actions = tools.filter(({ submits }) => offersActions && submits);
  return [...known.slice(0, 2).map(({ text }) => text), ...actions.map(({ title }) => title)];
}

/** The profile has a version of its own; all else is as new as the software. */
function versionOf(path: string, { profile }: Site): { readonly version?: string } {
  if (path !== BRAND_PATH) return { version: SERVICE.version };
  return typeof profile?.version === 'string' ? { version: profile.version } : {};
}

/** Only where the keys are served by the domain that the identifiers name. */
function manifest(site: Site): object | undefined {
  const { profileBytes, signed } = site;
  if (!profileBytes || !signed || site.off.has('jwks') || new URL(site.baseUrl).hostname !== domain(site))
    return undefined;
  const digest = `sha256:${createHash('sha256').update(profileBytes).digest('hex')}`;
  const uri = `${site.baseUrl}${BRAND_PATH}`;
  return {
    identity: `${site.baseUrl}/.well-known/jwks.json`,
    identityType: 'https',
    attestations: [{ type: 'brand-profile-signature', uri, mediaType: 'application/json', digest }],
  };
}
