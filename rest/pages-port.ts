import type { HTTPResponse } from 'h3';
import type { Action } from '../tools/action.ts';
import type { ServiceError } from '../tools/errors.ts';
import type { Tool, ToolResult } from '../tools/tool.ts';
import type { Visit } from './negotiation.ts';

/** What a person sent: the tool it was for, and the fields as they came. */
export interface Attempt {
  readonly tool: Tool;
  readonly values: Readonly<Record<string, string>>;
}

/** A submission that has arrived, as its thanks name it. */
export interface Arrival {
  readonly action: Action;
  /** `ABCD-1234`. */
  readonly reference: string | undefined;
}

/** The port to the pages that a browser is shown where a program gets JSON; discovery/pages draws them. */
export interface Pages {
  /** BCP 47 tag of the language in which the visitor is answered. */
  readonly languageOf: (visit: Visit) => string;
  /** The form of a tool, with what it begins with. */
  readonly form: (attempt: Attempt, visit: Visit) => HTTPResponse;
  /** The answer to a question. @param result of the tool */
  readonly answered: (result: ToolResult, visit: Visit) => HTTPResponse;
  readonly thanks: (arrival: Arrival, visit: Visit) => HTTPResponse;
  /** Why not, with the form and what was typed where there is one. */
  readonly refused: (error: ServiceError, visit: Visit, attempt?: Attempt) => HTTPResponse;
}
