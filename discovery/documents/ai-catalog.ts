import { createHash } from 'node:crypto';
import { SERVICE } from '../../tools/service.ts';
import { bare, type Documents, find, jsonDocument, targets } from './document.ts';
import { isSigned } from './guidance.ts';
import { domain, issuedAt, urn } from './identity.ts';
import type { Site } from './site.ts';

interface Row {
  /** The first of them that is published. */
  readonly paths: readonly string[];
  /** Namespace and name of its identifier. */
  readonly id: readonly [namespace: string, name: string];
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Two to five (ARD v0.9). */
  readonly representativeQueries: readonly string[];
}

const QUESTIONS = [
  'What results has this consultancy had, and how can they be checked?',
  '¿Cuánto cuesta el diagnóstico?',
];
const ALL = [...QUESTIONS, 'Request a diagnostic for my brand', 'Apply to the partner program as an agency'];

const ROWS: readonly Row[] = [
  {
    paths: ['/mcp/server-card', '/.well-known/mcp/server-card.json'],
    id: ['mcp', SERVICE.name],
    title: 'MCP server',
    description: 'Three tools: questions answered from the brand profile, a diagnostic request, a partner application.',
    tags: ['mcp', 'brand', 'retrieval', 'submissions'],
    representativeQueries: ALL,
  },
  {
    paths: ['/.well-known/agent-card.json'],
    id: ['a2a', SERVICE.name],
    title: 'A2A agent',
    description: 'Read-only: answers a message with the matching claims of the brand profile.',
    tags: ['a2a', 'brand', 'retrieval', 'read-only'],
    representativeQueries: QUESTIONS,
  },
  {
    paths: ['/openapi.json'],
    id: ['api', 'openapi'],
    title: 'REST API',
    description: 'The same three actions over plain HTTP.',
    tags: ['openapi', 'rest', 'brand'],
    representativeQueries: ALL,
  },
  {
    paths: ['/.well-known/agent-skills/index.json'],
    id: ['skills', 'index'],
    title: 'agent skills',
    description: 'When and how to ask, request a diagnostic and apply to the partner program.',
    tags: ['skills', 'brand'],
    representativeQueries: ALL,
  },
  {
    paths: ['/.well-known/brand.json'],
    id: ['brand', 'profile'],
    title: 'brand profile',
    description: 'The claims of the brand with their boundaries and proofs. Its signature proves origin, not truth.',
    tags: ['brand', 'claims', 'proofs'],
    representativeQueries: QUESTIONS,
  },
];

/** The AI catalog (AI Catalog 1.0 as profiled by ARD v0.9; `mediaType` is the older name of `type`). */
export function aiCatalog(site: Site, documents: Documents): string {
  const [documentation] = targets(site, documents, '/docs', '/llms.txt');
  const trustManifest = manifest(site);
  return jsonDocument({
    specVersion: '1.0',
    host: {
      displayName: site.brandName,
      identifier: domain(site),
      ...(documentation && { documentationUrl: documentation.href }),
      ...(trustManifest && { trustManifest }),
    },
    entries: ROWS.flatMap(row => entry(row, site, documents)),
  });
}

function entry({ paths, id, title, ...row }: Row, site: Site, documents: Documents): object[] {
  const document = paths.map(path => find(documents, path)).find(found => found !== undefined);
  // The agent card stays published without its endpoint, but it is no agent then.
  if (!document || (id[0] === 'a2a' && site.off.has('a2a'))) return [];
  const type = document.alternate?.contentType ?? bare(document.contentType);
  return [
    {
      identifier: urn(site, ...id),
      displayName: `${site.brandName}: ${title}`,
      type,
      mediaType: type,
      url: `${site.baseUrl}${document.path}`,
      ...row,
      version: SERVICE.version,
      updatedAt: issuedAt(site).toISOString(),
    },
  ];
}

/** Only where the keys are served by the domain that the identifiers name. */
function manifest(site: Site): object | undefined {
  if (!isSigned(site) || site.off.has('jwks') || new URL(site.baseUrl).hostname !== domain(site)) return undefined;
  const digest = createHash('sha256').update(site.profileBytes).digest('hex');
  return {
    identity: `${site.baseUrl}/.well-known/jwks.json`,
    identityType: 'https',
    attestations: [
      {
        type: 'brand-profile-signature',
        uri: `${site.baseUrl}/.well-known/brand.json`,
        mediaType: 'application/json',
        digest: `sha256:${digest}`,
      },
    ],
  };
}
