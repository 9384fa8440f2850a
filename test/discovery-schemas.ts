/** Schemas for formats whose specifications have none. */

const text = { type: 'string', minLength: 1 };
const address = { type: 'string', pattern: '^https?://' };

const targets = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', required: ['href'], properties: { href: address, type: text, title: text } },
};

/** RFC 9264 with what RFC 9727 and its readers ask of an API catalog. */
export const API_CATALOG = {
  type: 'object',
  required: ['linkset'],
  additionalProperties: false,
  properties: {
    linkset: {
      type: 'array',
      minItems: 2,
      prefixItems: [{ required: ['anchor', 'item'] }],
      items: {
        type: 'object',
        required: ['anchor'],
        minProperties: 2,
        properties: { anchor: address },
        additionalProperties: targets,
      },
    },
  },
};

/** Agent Skills Discovery 0.2.0. */
export const SKILLS_INDEX = {
  type: 'object',
  required: ['$schema', 'skills'],
  properties: {
    $schema: { const: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json' },
    instructions: text,
    skills: {
      type: 'array',
      minItems: 3,
      items: {
        type: 'object',
        required: ['name', 'type', 'description', 'url', 'digest'],
        properties: {
          name: { type: 'string', maxLength: 64, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
          type: { const: 'skill-md' },
          description: { type: 'string', minLength: 1, maxLength: 1024 },
          url: { type: 'string', pattern: '^/' },
          digest: { type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
        },
      },
    },
  },
};

/** The newer text of the AI catalog (`type`), beside which ARD's schema holds. */
export const AI_CATALOG = {
  type: 'object',
  required: ['specVersion', 'entries'],
  properties: {
    specVersion: { const: '1.0' },
    entries: {
      type: 'array',
      minItems: 4,
      items: { type: 'object', required: ['identifier', 'type', 'mediaType', 'displayName', 'url'] },
    },
  },
};

/** Required members of an agent card (A2A 1.0.1). */
export const AGENT_CARD = {
  type: 'object',
  required: [
    'name',
    'description',
    'version',
    'supportedInterfaces',
    'capabilities',
    'defaultInputModes',
    'defaultOutputModes',
    'skills',
  ],
  properties: {
    supportedInterfaces: {
      type: 'array',
      items: {
        required: ['url', 'protocolBinding', 'protocolVersion'],
        properties: { url: address, protocolBinding: { const: 'JSONRPC' }, protocolVersion: { const: '1.0' } },
      },
    },
    skills: {
      type: 'array',
      minItems: 1,
      items: {
        required: ['id', 'name', 'description', 'tags'],
        properties: { tags: { type: 'array', minItems: 1, items: text } },
      },
    },
  },
};
