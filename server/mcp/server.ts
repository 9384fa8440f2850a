import { ProtocolError, Server } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CAPABILITIES, type Introduction } from '../../tools/introduction.ts';
import { HANDSHAKE_REVISIONS, RPC } from '../../tools/protocol.ts';
import type { Tool } from '../../tools/tool.ts';
import { type CallScope, callTool } from './tools.ts';

/** Makes an SDK server for one scope: over HTTP for each request, over stdio for the session. */
export type ServerFor = (scope: CallScope) => Server;

/** A client of MCP 2026-07-28 may keep lists for an hour: only a new profile or release changes them. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/** Accepts any params. The SDK's schemas would answer with the text of a schema library. */
const ANY = { params: z.looseObject({}) };

/**
 * Prepares the tools, texts and revisions of MCP for one profile.
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
    icons: icon === undefined ? undefined : [{ src: icon }],
    websiteUrl: website,
  };
  const options = {
    instructions,
    capabilities: CAPABILITIES,
    supportedProtocolVersions: [...HANDSHAKE_REVISIONS],
    cacheHints: { 'tools/list': CACHE, 'server/discover': CACHE },
    // Unused, but the SDK would build its own validator for each request.
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
    // The contract lists it as a method. With an id it is a request, which must be answered.
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
