import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import type { Answer, Brand } from '../brand/retrieval/brand.ts';
import type { Action } from './action.ts';
import type { Deliver, Mode, Origin, Submitted } from './deliver.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import { fieldFaults } from './faults.ts';
import { flatSchema, type ObjectSchema, outlineSchema } from './object-schema.ts';
import type { SubmissionLimits } from './policies.ts';

/** Facts that descriptions of tools mention: brand, signature, mode. */
export interface BrandContext {
  /** Short name of the brand. Absent while no profile is loaded. */
  readonly brand?: string | undefined;
  /** The profile carries a signature, and its public keys are published. */
  readonly signed: boolean;
  readonly mode: Mode;
  /** Whether a similarity is a chance. If not, similarities only give an order. */
  readonly calibrated: boolean;
}

/** The ports that every call may use. */
export interface Backend {
  /** Absent while no profile is loaded. */
  readonly brand: Brand | undefined;
  /** Records a question. Absent if the operator keeps none. */
  readonly recordQuestion?: ((query: string) => void) | undefined;
  readonly deliver: Deliver;
  readonly mode: Mode;
  readonly now: () => Date;
}

/** The ports, and the origin of one call. */
export interface ToolContext extends Backend {
  readonly origin: Origin;
}

/**
 * Receives the state of the hourly limits after a submission, for the headers of the response.
 * @throws ServiceError `rate_limited`
 */
type Admit = (limits: SubmissionLimits) => void;

/** The result of a tool, as data. */
export type ToolResult = Answer | Submitted;

/** A tool as data. REST routes, MCP and documents are made from it. */
export interface Tool<Result extends ToolResult = ToolResult> {
  readonly name: string;
  readonly title: string;
  /** For models: what it does, when to use it and when not, what comes back, side effects. */
  readonly description: string;
  /** When to use it, after "Use it". */
  readonly when: string;
  /** The contract's schema names of request and response. */
  readonly schemas: readonly [request: string, response: string];
  /** The full schemas. OpenAPI is made from them. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** The errors of a call, besides `rate_limited`. */
  readonly errors: readonly ErrorCode[];
  /** Hints for MCP hosts. */
  readonly annotations: ToolAnnotations;
  /** The action that it submits. Absent if the tool only reads. */
  readonly submits?: Action | undefined;
  /** The entry in tools/list. A model sees nothing else of the tool. */
  readonly listing: () => ToolListing;
  /**
   * Checks the arguments, then runs the handler. Limits count a submission when it is committed, so a failed
   * check is free.
   * @throws ServiceError
   */
  readonly call: (input: unknown, context: ToolContext, admit: Admit) => Promise<Result>;
  /** The result as the contract's body, for programs. */
  body(result: Result): object;
}

/** Whether a tool answers questions: it has an argument `query` and a result `matches`. */
export const isQuestion = ({ input, output }: Pick<Tool, 'input' | 'output'>): boolean =>
  'query' in input.shape && 'matches' in output.shape;

/** An entry of tools/list. */
export interface ToolListing extends Pick<Tool, 'name' | 'title' | 'description' | 'annotations'> {
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject, Result extends ToolResult>
  extends Omit<Tool<Result>, 'input' | 'output' | 'listing' | 'call' | 'body'> {
  readonly input: Input;
  readonly output: Output;
  /** Throws a more exact error than the schema's `validation_error`. */
  readonly precheck?: (input: unknown) => void;
  readonly handler: (input: z.output<Input>, context: ToolContext, admit: Admit) => Promise<Result>;
  readonly body: (result: Result) => Readonly<z.input<Output>>;
}

/**
 * Makes a tool from its schemas, its texts and its handler. A call runs `precheck`, then the schema, then the
 * handler.
 * @example
 * const openingHours = defineTool({
 *   name: 'opening_hours',
 *   input: z.strictObject({}),
 *   output: z.object({ text: z.string() }),
 *   handler: async () => ({ text: 'Monday to Friday' }),
 *   body: result => result,
 *   … // title, description and the other members of Definition
 * });
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, Result extends ToolResult>(
  definition: Definition<Input, Output, Result>,
): Tool<Result> {
  const { precheck, handler, ...row } = definition;
  const { name, title, description, annotations, input, output } = row;
  let listing: ToolListing | undefined;
  return {
    ...row,
    listing() {
      listing ??= {
        name,
        title,
        description,
        inputSchema: flatSchema(input),
        outputSchema: outlineSchema(output),
        annotations,
      };
      return listing;
    },
    async call(argument, context, admit) {
      precheck?.(argument);
      return handler(parse(input, argument), context, admit);
    },
  };
}

function parse<Input extends z.ZodObject>(schema: Input, input: unknown): z.output<Input> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ServiceError('validation_error', { issues: fieldFaults(result.error) });
}
