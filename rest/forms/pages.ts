import type { IncomingMessage } from 'node:http';
import type { Action } from '../../tools/actions/actions.ts';
import type { ServiceError } from '../../tools/errors.ts';
import type { Tool, ToolResult } from '../../tools/tool.ts';
import type { Reply } from '../http/reply.ts';
import { prefers } from '../http/request.ts';

/** What a request says of the person behind the browser. */
export interface Visit {
  /** `?lang=`; null where there is none. */
  readonly lang: string | null;
  readonly acceptLanguage: string | undefined;
}

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
  readonly form: (attempt: Attempt, visit: Visit) => Reply;
  /** The answer to a question. @param result of the tool */
  readonly answered: (result: ToolResult, visit: Visit) => Reply;
  readonly thanks: (arrival: Arrival, visit: Visit) => Reply;
  /** Why not, with the form and what was typed where there is one. */
  readonly refused: (error: ServiceError, visit: Visit, attempt?: Attempt) => Reply;
}

/** A browser that navigates names text/html and not JSON; `*\/*` is a program. */
export const isVisit = ({ headers }: IncomingMessage): boolean =>
  prefers(headers.accept, 'text/html', 'application/json');

/** `lang` by hand: a tag in old letters elsewhere in the query is no reason to refuse a page. */
export function visitOf({ url = '', headers }: IncomingMessage): Visit {
  return { lang: /[?&]lang=([a-z-]{2,35})/i.exec(url)?.[1] ?? null, acceptLanguage: headers['accept-language'] };
}
