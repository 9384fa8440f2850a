import type { Reference } from './es-reference.ts';

/** Words for developers, in English: names of documents, and the page of the API. */
export const reference: Reference = {
  documents: {
    claims: { title: 'Claims', note: 'every claim with its boundary and proofs, for people' },
    reference: { title: 'API reference', note: 'endpoints, fields, limits, errors and versions, for people' },
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

  apiDocs: {
    title: 'API reference',
    lead: brand =>
      `Endpoints, fields, limits, errors and versions of the public API and MCP server of ${brand}.`,
    quoted:
      'No authentication, no keys. Messages, descriptions and limits are quoted as the service sends them.',
    contents: 'Contents',
    copy: 'Copy',
    copied: 'Copied',
    real: 'A real submission: there is no sandbox, so nothing here sends it.',
    sections: {
      endpoints: 'Endpoints',
      calls: 'Requests and answers',
      agents: 'For agents',
      fields: 'Fields',
      limits: 'Limits',
      errors: 'Errors',
      mcp: 'MCP',
      versions: 'Versions',
      signatures: 'Signatures',
      documents: 'Documents',
    },
    heads: {
      endpoints: ['Endpoint', 'What it does', 'Takes'],
      fields: ['Field', 'Required', 'Rule'],
      limits: ['What', 'Limit', 'Policy'],
      errors: ['Code', 'HTTP', 'Meaning'],
      documents: ['Document', 'What it is'],
    },
    yes: 'yes',
    no: 'no',
    base: 'Paths have no trailing slash. Base address',
    alias: 'Alias',
    atMost: 'at most',
    status: 'Whether the service is up',
    descriptor: 'What the MCP endpoint is',
    a2a: 'A2A 1.0, read-only: a message is a question',
    headers: 'Every response but the 400 of POST /mcp shows them',
    limited: 'A request over a limit gets 429 with Retry-After in seconds.',
    unlimited: 'Failed validations do not count against the limits of submissions.',
    errors:
      'Over REST an error is JSON with ok, error, code and hint, and with issues where fields are invalid: one "field: rule" each. invalid_request also comes as 403, 408, 413 and 431.',
    errorPage: 'A form post of a browser gets a page instead.',
    mcp: (url, versions) =>
      `Streamable HTTP with JSON responses at ${url}, protocol versions ${versions.join(' and ')}. A tool that fails is a result with isError and the body of the REST error. Protocol errors:`,
    paths: (prefix, aliases) =>
      `REST endpoints live under ${prefix}${aliases.length > 0 ? `; pinned to it: ${aliases.join(' and ')}` : ''}. /ask follows a convention of its own, and /mcp the protocol versions named above. Every response carries API-Version.`,
    breaking:
      'Breaking changes ship only in a new major version. A new optional member of a response is no breaking change.',
    notice: days =>
      `A deprecated version keeps working for at least ${days} days after its first Deprecation header (RFC 9745), and its responses carry Sunset (RFC 8594) and a Link to the notice.`,
    deprecated: versions => (versions === '' ? 'Nothing is deprecated now.' : `Deprecated now: ${versions}.`),
    signed:
      'Anybody can check it: JWS over the RFC 8785 bytes of the document without its member signatures.',
    reading:
      'Everything in a match stands verbatim in the profile. Each claim has a boundary: say where it applies, and never use it where it does not.',
  },
};
