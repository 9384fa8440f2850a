import * as z from 'zod';
import { asServiceError, errorBody } from '../../tools/errors.ts';
import type { ObjectSchema } from '../../tools/fields/json-schema.ts';
import { toolsOf } from '../../tools/index.ts';
import { createPresentation } from '../../tools/presentation.ts';
import type { ToolAnnotations } from '../../tools/tool.ts';
import { logFault } from '../config/fault-log.ts';
import { createAdmission } from '../limits/admission.ts';
import { type CallResult, type CallScope, createMethods } from '../mcp/methods.ts';
import type { Service } from '../service.ts';

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

/**
 * The tools for a server of somebody else: described for the profile in use now, answering from the one in use then.
 * @internal
 */
export function createTools({ services, brand, clientHash }: Service): RegisteredTool[] {
  const { limiter, log, baseUrl } = services;
  const tools = toolsOf(brand()?.profile);
  const presentation = createPresentation(brand(), services);
  const methods = createMethods(tools, presentation);
  const call = async (name: string, input: unknown, of: string): Promise<CallResult> => {
    const client = clientHash(of);
    const admission = createAdmission({ limiter, client, limitsUrl: `${baseUrl}/llms.txt` });
    const scope: CallScope = {
      context: async () => ({
        origin: { channel: 'mcp', clientHash: client, visitor: 'agent' },
        brand: brand(),
        ...services,
      }),
      admission,
      report: fault => void logFault(log, { route: name }, fault),
      isCancelled: () => false,
    };
    try {
      await admission.take('mcp');
      return await methods.call({ name, arguments: input }, scope);
    } catch (fault) {
      return { content: [{ type: 'text', text: JSON.stringify(errorBody(asServiceError(fault))) }], isError: true };
    }
  };
  return tools.map(tool => {
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
