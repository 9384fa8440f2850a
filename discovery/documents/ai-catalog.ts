import { SERVICE } from '../../tools/service-facts.ts';
import { type Documents, find, jsonDocument, mediaTypeOf, targets } from './document.ts';
import { profileExamples } from './examples.ts';
import { serverSentence } from './guidance.ts';
import { domain, issuedAt } from './identity.ts';
import type { Site } from './site.ts';

const AGENT_CARD_PATH = '/.well-known/agent-card.json';

/** What an agent can use: path, and the namespace and name of its identifier. */
const ENTRIES = [
  { path: '/.well-known/mcp/server-card.json', id: `mcp:${SERVICE.name}` },
  { path: AGENT_CARD_PATH, id: `a2a:${SERVICE.name}` },
  { path: '/openapi.json', id: 'api:openapi' },
  { path: '/.well-known/agent-skills/index.json', id: 'skills:index' },
  { path: '/.well-known/brand.json', id: 'brand:profile' },
] as const;

/** The AI catalog (AI Catalog 1.0 as profiled by ARD v0.9; `mediaType` is the older name of `type`). */
export function aiCatalog(site: Site, documents: Documents): string {
  const [documentation] = targets(site, documents, '/docs', '/llms.txt');
  const issued = issuedAt(site);
  // ARD v0.9 takes two to five.
  const queries = profileExamples(site).map(({ text }) => text);
  const entries = ENTRIES.flatMap(({ path, id }) => {
    const document = find(documents, path);
    const listing = document?.listing;
    if (!listing) return [];
    // Without its endpoint the agent card is still published, but there is no agent to list.
    if (path === AGENT_CARD_PATH && site.off.has('a2a')) return [];
    const type = document.alternate?.contentType ?? mediaTypeOf(document.contentType);
    return [
      {
        identifier: `urn:air:${domain(site)}:${id}`,
        displayName: `${site.serverInfo.title}: ${listing.title}`,
        type,
        mediaType: type,
        url: `${site.baseUrl}${path}`,
        description: `${listing.title}: ${listing.note}. ${serverSentence(site)}`,
        ...(queries.length > 1 && { representativeQueries: queries }),
        ...(issued && { updatedAt: issued.toISOString() }),
      },
    ];
  });
  return jsonDocument({
    specVersion: '1.0',
    host: {
      displayName: site.serverInfo.title,
      identifier: domain(site),
      ...(documentation && { documentationUrl: documentation.href }),
    },
    entries,
  });
}
