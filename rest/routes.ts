import type { Action } from '../tools/action.ts';
import type { RouteBucket } from '../tools/policies.ts';
import type { Tool } from '../tools/tool.ts';

/** A tool on the REST facade. */
export interface ToolRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Further paths with the same behaviour. */
  readonly aliases: readonly string[];
  readonly tool: Tool;
  /** The limit that counts it: questions of a minute, or submissions of an hour. */
  readonly bucket: RouteBucket;
  readonly input: QueryInput | BodyInput;
}

/** Arguments from the query string. Unknown parameters, such as analytics tags, are ignored. */
interface QueryInput {
  readonly from: 'query';
  /** Query parameter → argument. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface BodyInput {
  readonly from: 'body';
  /** Media types besides application/json. */
  readonly forms: readonly FormType[];
}

type FormType = 'application/x-www-form-urlencoded' | 'multipart/form-data';

const FORM_TYPES: readonly FormType[] = ['application/x-www-form-urlencoded', 'multipart/form-data'];

const QUERY: QueryInput = { from: 'query', parameters: { q: 'query' } };
const JSON_ONLY: BodyInput = { from: 'body', forms: [] };
const JSON_OR_FORM: BodyInput = { from: 'body', forms: FORM_TYPES };

/**
 * The REST API: one row for each method and path. Allow, OPTIONS, HEAD and the OpenAPI description follow
 * from it.
 */
const ROWS: readonly (Omit<ToolRoute, 'tool'> & { readonly tool: string })[] = [
  { method: 'GET', path: '/ask', aliases: [], tool: 'ask_brand', bucket: 'ask', input: QUERY },
  { method: 'POST', path: '/ask', aliases: [], tool: 'ask_brand', bucket: 'ask', input: JSON_ONLY },
  {
    method: 'POST',
    path: '/api/v1/contact',
    aliases: ['/api/contact'],
    tool: 'request_diagnostic',
    bucket: 'forms',
    input: JSON_OR_FORM,
  },
  {
    method: 'POST',
    path: '/api/v1/partners',
    aliases: ['/api/partners'],
    tool: 'apply_partner_program',
    bucket: 'forms',
    input: JSON_ONLY,
  },
];

/**
 * The routes of these tools. An action that the profile switches off has none.
 * @example
 * routesOf(TOOLS).map(({ path }) => path); // ['/ask', '/ask', '/api/v1/contact', '/api/v1/partners']
 */
export const routesOf = (tools: readonly Tool[]): readonly ToolRoute[] =>
  ROWS.flatMap(row => tools.filter(({ name }) => name === row.tool).map(tool => ({ ...row, tool })));

interface FormRoute extends ToolRoute {
  readonly action: Action;
}

/**
 * The forms of the bundled pages: GET shows a form, POST sends it. They call the tools of the API and share
 * its limits. They are not part of the API, which takes applications as JSON only.
 * @example formRoutesOf(TOOLS).map(({ path }) => path); // ['/forms/diagnostic', '/forms/partner']
 */
export const formRoutesOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(tool => {
    const { submits: action } = tool;
    if (action === undefined) return [];
    return [
      {
        method: 'POST',
        path: formPath(action),
        aliases: [],
        tool,
        action,
        bucket: 'forms',
        input: JSON_OR_FORM,
      },
    ];
  });

/** Path of the form of an action. */
export const formPath = ({ kind }: Action): string => `/forms/${kind}`;

/** Whether the route sends a submission. */
export const isSubmission = ({ tool }: ToolRoute): boolean => tool.submits !== undefined;

export const STATUS_PATH = '/api/v1/status';
