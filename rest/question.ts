import * as z from 'zod';
import type { Action } from '../tools/action.ts';
import { formFields, text } from '../tools/fields.ts';
import { submission } from '../tools/submission.ts';
import { defineTool, type Tool } from '../tools/tool.ts';
import { messagesOf } from '../tools/words/language.ts';

const NAME = 'ask_team';

/**
 * A question that no claim answers, sent to the team: the short form under an answer. It belongs to the pages and not to the
 * published API, so no list of tools has it; the team gets it as what the action is for.
 */
export const askTeam = (action: Action): Tool =>
  defineTool({
    name: NAME,
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

/** Whether a tool is the short form under an answer. */
export const asksTeam = ({ name }: Tool): boolean => name === NAME;
