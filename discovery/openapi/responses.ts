import { EXAMPLES } from './examples.ts';
import { COMMON, HEADERS, type HeaderName, headerRefs } from './headers.ts';

/** What an operation may answer with one status. */
export interface Answer {
  readonly status: number;
  readonly description: string;
  /** Media type to its schema; nothing where there is no body. */
  readonly content?: Readonly<Record<string, object>>;
  /** Besides the common ones. */
  readonly headers?: readonly HeaderName[];
  readonly common?: readonly HeaderName[];
}

/**
 * The `responses` of an operation, each with the answers that the server gave.
 * @param operation `METHOD /path` of the recorded answers
 */
export function responses(operation: string, answers: readonly Answer[]) {
  return Object.fromEntries(answers.map(answer => [answer.status, response(operation, answer)]));
}

function response(operation: string, { status, description, content, headers = [], common = COMMON }: Answer) {
  return {
    description,
    headers: headerRefs([...common, ...headers]),
    ...(content && { content: contentOf(operation, status, content) }),
  };
}

function contentOf(operation: string, status: number, content: NonNullable<Answer['content']>) {
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => {
      const examples = recorded(operation, status, type);
      return [type, { schema, ...(Object.keys(examples).length > 0 && { examples }) }];
    }),
  );
}

function recorded(operation: string, status: number, type: string) {
  const answers = EXAMPLES.filter(
    answer =>
      answer.operation === operation && answer.status === status && answer.headers['content-type']?.startsWith(type),
  );
  return Object.fromEntries(
    answers.map(({ name, body }) => [name, { summary: name.replaceAll('_', ' '), value: body }]),
  );
}

/** `components.headers`: each with a value that the server sent. */
export function headerComponents() {
  return Object.fromEntries(
    Object.entries(HEADERS).map(([name, row]) => {
      const sent = EXAMPLES.map(({ headers }) => headers[name.toLowerCase()]).find(value => value !== undefined);
      const example = row.schema.type === 'integer' ? Number(sent) : sent;
      return [name, { ...row, ...(sent !== undefined && { example }) }];
    }),
  );
}
