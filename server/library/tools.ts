import * as z from 'zod';
import type { ActionName } from '../../brand/profile/action-schema.ts';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import type { ObjectSchema } from '../../tools/object-schema.ts';
import type { ToolAnnotations } from '../../tools/tool.ts';
import { logFault } from '../config/fault-log.ts';
import { createAdmission } from '../limits/admission.ts';
import type { CallResult } from '../mcp/messages.ts';
import type { CallScope } from '../mcp/methods.ts';
import type { Service } from '../run/service.ts';
import type { AvalServer } from './create-server.ts';

/** A tool in the words of `registerTool` of the official MCP SDK. */
export interface RegisteredTool {
  readonly name: string;
  readonly config: {
    readonly title: string;
    readonly description: string;
    readonly inputSchema: z.ZodObject;
    readonly outputSchema: z.ZodObject;
    readonly annotations: ToolAnnotations;
  };
  /**
   * Never rejects: a failure is a result that the model can read.
   * @param client whose limits the call counts for; never an address or a name, of which a hash alone is kept
   */
  readonly call: (input: unknown, client: string) => Promise<CallResult>;
}

/** The contract's tools; a profile may switch actions off. */
export type ToolName = 'ask_brand' | ActionName;

/** Which tools a server of somebody else gets, and how it calls them. */
export interface Selection {
  /** Names of the tools that it gets. Default: all. */
  readonly only?: readonly ToolName[];
  /** Put before each name, in what the tools say of each other too: `acme_` makes `acme_ask_brand`. */
  readonly prefix?: string;
}

export interface Selected {
  readonly tools: readonly RegisteredTool[];
  /** What a model reads first of these tools, for the `instructions` of the server. */
  readonly instructions: string;
}

/**
 * The tools for a server of somebody else: described for the profile in use now, answering from the one in use then.
 * @throws Error for a name in `only` that no tool has
 * @internal
 */
export function createTools(
  { services, live, clientHash }: Service,
  { only, prefix = '' }: Selection = {},
): Selected {
  const { limiter, readHourly, log, baseUrl } = services;
  const { site, methods } = live();
  const { tools } = site;
  const names = tools.map(({ name }) => name);
  const chosen: readonly string[] = only ?? names;
  const unknown = chosen.find(name => !names.includes(name));
  if (unknown !== undefined)
    throw new Error(`only: no tool is called ${unknown}; there are ${names.join(', ')}`);
  const renamed = (text: string) =>
    text.replace(new RegExp(`\\b(${names.join('|')})\\b`, 'g'), `${prefix}$1`);
  const call = async (name: string, input: unknown, of: string): Promise<CallResult> => {
    const client = clientHash(of);
    const admission = createAdmission({
      limiter,
      readHourly,
      client: { clientHash: client },
      limitsUrl: `${baseUrl}/llms.txt`,
    });
    const scope: CallScope = {
      context: idempotencyKey => ({
        origin: { channel: 'mcp', clientHash: client, visitor: 'agent', idempotencyKey },
        brand: live().brand,
        ...services,
      }),
      admission,
      report: fault => void logFault(log, { route: name }, fault),
      isCancelled: () => false,
    };
    try {
      admission.take('mcp');
      return await methods.call({ name, arguments: input }, scope);
    } catch (fault) {
      return {
        content: [{ type: 'text', text: JSON.stringify(errorBody(asServiceError(fault))) }],
        isError: true,
      };
    }
  };
  const picked = tools.filter(({ name }) => chosen.includes(name));
  const registered = picked.map((tool): RegisteredTool => {
    const { name, inputSchema, outputSchema, ...words } = tool.listed();
    const schemas = { inputSchema: published(inputSchema), outputSchema: published(outputSchema) };
    const config = { ...words, description: renamed(words.description), ...schemas };
    return { name: `${prefix}${name}`, config, call: (input, client) => call(name, input, client) };
  });
  return { tools: registered, instructions: renamed(site.instructions) };
}

/**
 * A schema that lets everything through and is published as ours: the SDK's own check would put its prose in the place of
 * the contract's errors, and its own rendering has what some hosts reject.
 */
const published = ({ type: _, ...rest }: ObjectSchema) =>
  z.looseObject({}).meta({ additionalProperties: undefined, ...rest });

/** An MCP server of the official SDK: McpServer of @modelcontextprotocol/server (v2) or of @modelcontextprotocol/sdk (v1). */
export interface ToolHost {
  registerTool(
    name: string,
    config: RegisteredTool['config'],
    run: (input: Record<string, unknown>, context: unknown) => Promise<CallResult>,
  ): unknown;
}

export interface RegisterOptions extends Selection {
  /** Whose limits a call counts for, from what the SDK says of it. Default: all callers are one client. */
  readonly client?: (context: unknown) => string;
}

/**
 * Puts ask_brand, request_diagnostic and apply_partner_program on an MCP server that is there already, with the errors and
 * limits that they have everywhere. With a prefix each, several brands share one server.
 * @throws Error for a name in `only` that no tool has
 */
export function registerTools(
  host: ToolHost,
  aval: AvalServer,
  { client = () => 'all', ...selection }: RegisterOptions = {},
): void {
  for (const { name, config, call } of aval.select(selection).tools) {
    host.registerTool(name, config, (input, context) => call(input, client(context)));
  }
}
