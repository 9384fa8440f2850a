import { ProtocolError, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CAPABILITIES, type Introduction } from '../../tools/introduction.ts';
import { HANDSHAKE_REVISIONS, RPC } from '../../tools/protocol.ts';
import type { Tool } from '../../tools/tool.ts';
import { type CallScope, callTool } from './tools.ts';

/** Makes a server of the SDK whose tools are called in this scope: one for each request over HTTP. */
export type ServerFor = (scope: CallScope) => Server;

/** How long a client of MCP 2026-07-28 may keep lists: they change with a new profile or release alone. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** The SDK's own schemas would answer with the text of a schema library. */
const ANY = { params: z.looseObject({}) };

/**
 * Prepares what MCP shows of a profile: its tools, its words, the revisions that it speaks.
 * @example
 * const serverFor = createServerFor(toolsOf(profile, introduction), introduction);
 * await serverFor(scope).connect(transport);
 */
export function createServerFor(tools: readonly Tool[], introduction: Introduction): ServerFor {
  const { instructions, icon, website } = introduction;
  const listing = { tools: tools.map(tool => tool.listing()) };
  const names = tools.map(({ name }) => name).join(', ');
  const serverInfo = {
    ...introduction.serverInfo,
    ...(icon !== undefined && { icons: [{ src: icon }] }),
    ...(website !== undefined && { websiteUrl: website }),
  };
  const options = {
    instructions,
    capabilities: CAPABILITIES,
    supportedProtocolVersions: [...HANDSHAKE_REVISIONS],
    cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE },
    // Nothing here is checked by a JSON Schema, and the SDK would build its checker anew for each request.
    jsonSchemaValidator: { getValidator: noValidator },
  };
  return function serverFor(scope) {
    const server = new Server(serverInfo, options);
    server.setRequestHandler('tools/list', ANY, ({ cursor }) => {
      if (cursor !== undefined) throw invalidParams('unknown cursor');
      return listing;
    });
    server.setRequestHandler('tools/call', ANY, ({ name, arguments: input = {} }, context) => {
      const tool = tools.find(tool => tool.name === name);
      if (!tool) throw invalidParams(`unknown tool, the tools are ${names}`);
      return callTool(tool, input, context, scope);
    });
    // The contract names it among the methods. With an id it is a request, which must be answered.
    server.setRequestHandler('notifications/initialized', ANY, () => ({}));
    return server;
  };
}

function invalidParams(rule: string): ProtocolError {
  return new ProtocolError(RPC.invalidParams, `Invalid params: ${rule}.`);
}

function noValidator(): never {
  throw new Error('no schema is checked here');
}
