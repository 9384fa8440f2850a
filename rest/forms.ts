import * as z from 'zod';
import { QUESTION_ACTION } from '../brand/profile/action-schema.ts';
import type { Action } from '../tools/action.ts';
import { formFields, text } from '../tools/fields.ts';
import { submission } from '../tools/submission.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { messagesOf } from '../tools/words/language.ts';
import { FORM_TYPES, type ToolRoute } from './routes.ts';

/**
 * The forms of the bundled pages: GET shows a form, POST sends it. They call the tools of the API and share
 * its limits. They are not part of the API, which takes applications as JSON only.
 */
export const formRoutesOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(tool => (tool.submits === undefined ? [] : [formRoute(tool, tool.submits)]));

/** The route of the short form under an answer. None if no action takes questions. */
export const questionRouteOf = (tools: readonly Tool[]): readonly FormRoute[] =>
  tools.flatMap(({ submits: action }) =>
    action !== undefined && action.name === QUESTION_ACTION ? [formRoute(askTeam(action), action)] : [],
  );

/**
 * Sends a question to the team, from the short form under an answer. It belongs to the pages and not to the
 * published API, so no list of tools has it. The team gets it as a submission of the action.
 */
const askTeam = (action: Action): Tool =>
  defineTool({
    name: ASK_TEAM,
    title: 'Ask the team',
    description: 'Emails a question to the team.',
    when: 'to ask the team what no claim answers',
    schemas: ['Question', 'SubmitOk'],
    ...submission(action),
    input: z.strictObject({
      email: formFields(messagesOf(action.language)).email,
      context: text({ what: 'The question,', min: 1, max: 4000 }),
    }),
  });

const ASK_TEAM = 'ask_team';

/** Whether a tool is the short form under an answer. */
export const asksTeam = ({ name }: Tool): boolean => name === ASK_TEAM;

interface FormRoute extends ToolRoute {
  readonly action: Action;
}

function formRoute(tool: Tool, action: Action): FormRoute {
  const input = { from: 'body', forms: FORM_TYPES } as const;
  return { method: 'POST', path: formPath(tool), aliases: [], tool, action, bucket: 'forms', input };
}

/** Names the form of a tool in addresses. */
export const formName = (tool: Tool): string => (asksTeam(tool) ? 'question' : (tool.submits?.kind ?? ''));

/** Where the form of a tool is. */
export const formPath = (tool: Tool): string => `/forms/${formName(tool)}`;
