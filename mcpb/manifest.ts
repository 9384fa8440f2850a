import { SERVICE } from '../tools/service-facts.ts';
import type { Tool } from '../tools/tool.ts';

/**
 * The manifest of the bundle (MCPB, manifest version 0.2): the host starts `aval stdio` with the profile that the person
 * chose. `npm start` is for a service; this is one brand on one machine, offline, where submissions are a dry run.
 */
export function manifest(tools: readonly Tool[]) {
  return {
    manifest_version: '0.2',
    name: SERVICE.name,
    display_name: SERVICE.title,
    version: SERVICE.version,
    description: 'Answers questions about a consultancy verbatim from one signed brand profile, offline.',
    long_description:
      'Answers come from the table of vectors in the bundle alone: the encoder that a server may add is not part of it. ' +
      'Submissions are a dry run: nothing is sent, and the answer says so.',
    icon: 'icon.png',
    author: { name: SERVICE.title },
    license: 'MIT',
    keywords: ['brand', 'claims', 'retrieval', 'signed'],
    server: {
      type: 'node',
      entry_point: ENTRY,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${ENTRY}`, 'stdio'],
        env: {
          BRAND_FILE: `\${user_config.brand_file}`,
          BRAND_JWKS: `\${user_config.brand_jwks}`,
          DATA_DIR: `\${HOME}/.aval`,
        },
      },
    },
    tools: tools.map(tool => ({ name: tool.name, description: tool.description })),
    user_config: {
      brand_file: {
        type: 'file',
        title: 'Brand profile',
        description: 'The brand.json to answer from.',
        required: true,
      },
      brand_jwks: {
        type: 'file',
        title: 'Key set',
        description:
          'Optional: the public keys of the brand (its /.well-known/jwks.json), to verify the signature.',
        required: false,
        // Hosts pass ${user_config.brand_jwks} on as it stands where a field is empty and has no default.
        default: '',
      },
    },
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=20.19' } },
  };
}

const ENTRY = 'dist/server/cli.js';
