import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import type { ObjectSchema } from '../../tools/fields/json-schema.ts';
import { TOOLS } from '../../tools/index.ts';
import { createPresentation } from '../../tools/presentation.ts';
import type { ToolAnnotations, ToolContext } from '../../tools/tool.ts';
import type { Config } from '../config/config.ts';
import { logFault } from '../config/fault-log.ts';
import type { Log } from '../config/log.ts';
import { createAdmission } from '../limits/admission.ts';
import { createMethods } from '../mcp/methods.ts';
import type { Service } from '../service.ts';
import type { Outbox } from '../submissions/outbox.ts';

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
  readonly call: (input: unknown, client: string) => Promise<ToolResult>;
}

export interface ToolResult {
  readonly [member: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** @internal */
interface Parts extends Pick<Service, 'brand' | 'limiter'> {
  readonly outbox: Outbox;
  readonly log: Log;
  readonly baseUrl: string;
}

/**
 * The tools for a server of somebody else: described for the profile in use now, answering from the one in use then.
 * @internal
 */
export async function createTools(config: Config, parts: Parts): Promise<RegisteredTool[]> {
  const { brand, limiter, outbox, log, baseUrl } = parts;
  const mode = config.production ? undefined : 'dry-run';
  const presentation = createPresentation(brand(), { baseUrl, policies: config.policies, mode });
  const secret = config.clientKeySecret ?? (await outbox.secret('client-key').catch(() => ''));
  const methods = createMethods(TOOLS, presentation);
  const contextOf = (clientHash: string): ToolContext => ({
    brand: brand(),
    mode,
    isReplay: async () => false,
    deliver: (kind, fields) => outbox.deliver({ kind, fields, channel: 'mcp', clientHash }),
  });
  const call = async (name: string, input: unknown, client: string): Promise<ToolResult> => {
    const clientHash = createHmac('sha256', secret).update(client).digest('base64url').slice(0, 22);
    const scope = {
      context: async () => contextOf(clientHash),
      admission: createAdmission({ limiter, client: clientHash, limitsUrl: `${baseUrl}/llms.txt` }),
      report: (fault: unknown) => void logFault(log, name, fault),
      isCancelled: () => false,
    };
    const params = { name, arguments: input };
    try {
      await scope.admission.take('mcp');
      return JSON.parse(await methods.answer({ kind: 'request', id: null, method: 'tools/call', params }, scope));
    } catch (fault) {
      return { content: [{ type: 'text', text: JSON.stringify(errorBody(asServiceError(fault))) }], isError: true };
    }
  };
  return TOOLS.map(tool => {
    const { name, inputSchema, outputSchema, ...words } = tool.describe(presentation);
    const config = { ...words, inputSchema: published(inputSchema), outputSchema: published(outputSchema) };
    return { name, config, call: (input, client) => call(name, input, client) };
  });
}

/**
 * A schema that lets everything through and is published as ours: the SDK's own check would put its prose in the place of
 * the contract's errors, and its own rendering has what some hosts reject.
 */
const published = ({ type: _, ...rest }: ObjectSchema) =>
  z.looseObject({}).meta({ additionalProperties: undefined, ...rest });
