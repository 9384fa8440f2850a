import { McpServer, ProtocolError } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { CAPABILITIES, type Introduction } from '../../tools/introduction.ts';
import { HANDSHAKE_REVISIONS, RPC } from '../../tools/protocol.ts';
import type { Tool } from '../../tools/tool.ts';
import { bindTools, type CallScope, publishTool, registerTools } from './tools.ts';

/** What an MCP server shows of one profile. Built once for each profile; a request makes a server of it. */
export interface McpSite {
  readonly toolNames: ReadonlySet<string>;
  /** An SDK server whose tools are called in this scope. The SDK wants one for each request over HTTP. */
  readonly serverFor: (scope: CallScope) => McpServer;
}

/** How long a client of MCP 2026-07-28 may keep lists: they change with a new profile or release alone. */
const CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const AnyParams = z.looseObject({});

/**
 * Prepares what MCP shows of a profile: its tools, its words, the revisions that it speaks.
 * @example
 * const site = createMcpSite(toolsOf(profile, introduction), introduction);
 * await site.serverFor(scope).connect(transport);
 */
export function createMcpSite(tools: readonly Tool[], introduction: Introduction): McpSite {
  const { instructions, icon, website } = introduction;
  const published = tools.map(publishTool);
  const listing = { tools: published.map(({ listed }) => listed) };
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
  return {
    toolNames: new Set(tools.map(({ name }) => name)),
    serverFor(scope) {
      const mcp = new McpServer(serverInfo, options);
      registerTools(mcp, bindTools(published, scope));
      // The SDK would render the schemas at each request, and add `$schema`, which some hosts refuse.
      mcp.server.setRequestHandler('tools/list', { params: AnyParams }, ({ cursor }) => {
        if (cursor !== undefined)
          throw new ProtocolError(RPC.invalidParams, 'Invalid params: unknown cursor.');
        return listing;
      });
      // The contract names it among the methods. With an id it is a request, which must be answered.
      mcp.server.setRequestHandler('notifications/initialized', { params: AnyParams }, () => ({}));
      return mcp;
    },
  };
}

function noValidator(): never {
  throw new Error('no schema is checked here');
}
