import type * as z from 'zod';
import type { Answer, Brand } from '../brand/retrieval/brand.ts';
import type { Action } from './actions.ts';
import type { Deliver, Mode, Origin, Submission, Submitted } from './deliver.ts';
import { type ErrorCode, ServiceError } from './errors.ts';
import { fieldFaults } from './faults.ts';
import { flatSchema, type ObjectSchema, outlineSchema } from './object-schema.ts';
import type { GiveBack } from './policies.ts';
import type { Presentation } from './presentation.ts';

/** What every call may use. Everything outside the process arrives through it. */
export interface Backend {
  /** Absent while no profile is loaded. */
  readonly brand: Brand | undefined;
  /** Records a question; absent where the operator keeps none. */
  readonly asked?: ((answer: Answer, origin: Origin) => void) | undefined;
  readonly deliver: Deliver;
  /** Whether a submission repeats an Idempotency-Key with the same body. */
  readonly isReplay: (submission: Submission) => Promise<boolean>;
  readonly mode: Mode;
}

/** What one call may use. */
export interface ToolContext extends Backend {
  readonly origin: Origin;
}

/**
 * Takes the submission's slots.
 * @returns what gives them back
 * @throws ServiceError `rate_limited`
 */
export type Admit = () => Promise<GiveBack>;

/** A tool as data. REST routes, MCP and documents follow from it. */
export interface Tool<Result extends ToolResult = ToolResult> {
  readonly name: string;
  /** Its words and schemas for one brand, for everything that shows it. */
  readonly describe: (presentation: Presentation) => ToolDescription;
  /** The kind of submission; absent where the tool only reads. */
  readonly submits?: Action | undefined;
  /** Its words in the documents of the HTTP API, for programmers. The description is for models. */
  readonly operation: Operation;
  /** The full schemas, from which OpenAPI follows. Examples of a profile are not in them. */
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** The errors a caller can meet, besides `rate_limited`. */
  readonly errors: readonly ErrorCode[];
  readonly annotations: ToolAnnotations;
  /**
   * Checks the arguments, takes the submission's slots, acts. In this order, a failed check costs no slot.
   * @throws ServiceError
   */
  readonly call: (input: unknown, context: ToolContext, admit: Admit) => Promise<Result>;
  /** The result as the contract's body, for programs. */
  body(result: Result): object;
}

/** What a tool found or did, as data. */
export type ToolResult = Answer | Submitted;

interface Operation {
  readonly tag: 'Questions' | 'Forms';
  readonly purpose: (presentation: Presentation) => string;
  /** The contract's names of what goes into it and what comes out of it. */
  readonly schemas: readonly [request: string, response: string];
}

/** All that a model sees of a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it and when not, what comes back, side effects and limits. */
  readonly description: string;
  /** With an example for every field of an action. */
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: ToolAnnotations;
}

/** Hints for MCP hosts (MCP 2025-06-18, ToolAnnotations). */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject, Result extends ToolResult>
  extends Omit<Tool<Result>, 'describe' | 'input' | 'output' | 'call' | 'body'> {
  readonly title: (presentation: Presentation) => string;
  readonly description: (presentation: Presentation) => string;
  readonly input: Input;
  readonly output: Output;
  /** Throws a more exact error than the schema's `validation_error`. */
  readonly precheck?: (input: unknown) => void;
  /** Whether this repeats an earlier submission and so takes no slot. */
  readonly isReplay?: (input: z.output<Input>, context: ToolContext) => Promise<boolean>;
  readonly handler: (input: z.output<Input>, context: ToolContext) => Promise<Result>;
  readonly body: (result: Result) => Readonly<z.input<Output>>;
}

export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject, Result extends ToolResult>(
  definition: Definition<Input, Output, Result>,
): Tool<Result> {
  const { title, description, precheck, isReplay, handler, ...row } = definition;
  const { name, input, output, annotations } = row;
  let schemas: Pick<ToolDescription, 'inputSchema' | 'outputSchema'> | undefined;
  return {
    ...row,
    describe(presentation) {
      schemas ??= { inputSchema: flatSchema(input), outputSchema: outlineSchema(output) };
      return {
        name,
        title: title(presentation),
        description: description(presentation),
        ...schemas,
        annotations,
      };
    },
    async call(argument, context, admit) {
      precheck?.(argument);
      const parsed = parse(input, argument);
      if (annotations.readOnlyHint || (await isReplay?.(parsed, context))) return handler(parsed, context);
      return keepingSlots(admit, () => handler(parsed, context));
    },
  };
}

async function keepingSlots<Result>(admit: Admit, act: () => Promise<Result>): Promise<Result> {
  const giveBack = await admit();
  try {
    return await act();
  } catch (error) {
    if (error instanceof ServiceError && error.details.freesSlot) await giveBack();
    throw error;
  }
}

function parse<Input extends z.ZodObject>(schema: Input, input: unknown): z.output<Input> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ServiceError('validation_error', { issues: fieldFaults(result.error) });
}
