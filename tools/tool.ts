import type * as z from 'zod';
import type { Brand } from '../brand/retrieval/brand.ts';
import type { GiveBack } from './admission.ts';
import type { DeliverOutcome, Submission } from './deliver.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import { issueLines } from './issues.ts';
import { type ObjectSchema, publishedSchema } from './json-schema.ts';
import type { Policies } from './policies.ts';

/** What a tool may use. Everything outside the process arrives here. */
export interface ToolContext {
  /** Absent while no profile is loaded. */
  readonly brand: Brand | undefined;
  /** Hands a submission over, with all that the surface knows about where it came from. */
  readonly deliver: (kind: Submission['kind'], fields: Submission['fields']) => Promise<DeliverOutcome>;
  /** `dry-run` outside production, where mail goes to files. */
  readonly mode: 'dry-run' | undefined;
}

/**
 * Takes the submission's slots.
 * @returns what gives them back
 * @throws ServiceError `rate_limited`
 */
export type Admit = () => Promise<GiveBack>;

/** One action of the service, as data: REST routes, MCP and the documents are derived from it. */
export interface Tool<Output extends object = object> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it and when not, what comes back, side effects and limits. */
  readonly describe: (policies: Policies) => string;
  /** The full schemas: OpenAPI is made from them, and so are the flat ones below. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  /** The errors a caller can meet, besides `rate_limited`. */
  readonly errors: readonly ErrorCode[];
  readonly annotations: ToolAnnotations;
  /**
   * Parses the arguments, takes the submission's slots, acts. In this order, so that failed validations cost nothing.
   * @throws ServiceError
   */
  readonly call: (input: unknown, context: ToolContext, admit: Admit) => Promise<Output>;
}

/** Hints for MCP hosts (MCP 2025-06-18, ToolAnnotations). */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly describe: Tool['describe'];
  readonly input: Input;
  readonly output: Output;
  readonly errors: readonly ErrorCode[];
  readonly annotations: ToolAnnotations;
  /** Refuses, with a code of its own, what the schema alone would call a validation error. */
  readonly precheck?: (input: unknown) => void;
  readonly handler: (input: z.output<Input>, context: ToolContext) => Promise<Readonly<z.input<Output>>>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool<Readonly<z.input<Output>>> {
  const { name, title, describe, input, output, errors, annotations, precheck, handler } = definition;
  return {
    name,
    title,
    describe,
    input,
    output,
    inputSchema: publishedSchema(input, 'input'),
    outputSchema: publishedSchema(output, 'output'),
    errors,
    annotations,
    async call(argument, context, admit) {
      precheck?.(argument);
      const parsed = parse(input, argument);
      if (annotations.readOnlyHint) return handler(parsed, context);
      return keepingSlots(admit, () => handler(parsed, context));
    },
  };
}

async function keepingSlots<Result>(admit: Admit, act: () => Promise<Result>): Promise<Result> {
  const giveBack = await admit();
  try {
    return await act();
  } catch (error) {
    if (error instanceof ServiceError && error.freesSlot) await giveBack();
    throw error;
  }
}

function parse<Input extends z.ZodObject>(schema: Input, input: unknown): z.output<Input> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ServiceError('validation_error', { issues: issueLines(result.error) });
}
