import type { Reference } from './es-reference.ts';

/** Words for developers, in English: names of documents, and the page of the API. */
export const reference: Reference = {
  documents: {
    claims: { title: 'Claims', note: 'every claim with its boundary and proofs, for people' },
    reference: { title: 'Documentation', note: 'AGENTS.md as a page, for people' },
    openapi: { title: 'OpenAPI description', note: 'the HTTP API as OpenAPI 3.1' },
    apiCatalog: { title: 'API catalog', note: 'the APIs with what describes them (RFC 9727)' },
    aiCatalog: { title: 'AI catalog', note: 'everything an agent can use here' },
    serverCard: {
      title: 'MCP server card',
      note: 'address, versions and purpose of the MCP server (SEP-2127)',
    },
    mcpDiscovery: { title: 'MCP discovery', note: 'the server card with tools and transport' },
    agentCard: { title: 'Agent card', note: 'the read-only A2A agent' },
    skills: { title: 'Agent skills', note: 'the skills with their digests' },
    profile: { title: 'Brand profile', note: 'claims, boundaries and proofs; what /ask answers from' },
    schema: { title: 'Schema of the profile', note: 'the format of brand.json as JSON Schema' },
    keys: { title: 'Public keys', note: 'to verify the signature of the brand profile' },
    llms: { title: 'llms.txt', note: 'what this is, with links' },
    agents: { title: 'AGENTS.md', note: 'all an agent needs on one page' },
    skill: { title: 'Skill', note: 'when and how to use' },
  },
};
