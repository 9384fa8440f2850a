import * as z from 'zod';
import { EMAIL, text } from '../../tools/fields/fields.ts';
import { submission } from '../../tools/submission.ts';
import { defineTool } from '../../tools/tool.ts';

/**
 * A question that no claim answers, sent to the team: the short form under an answer. It belongs to the pages and not to the
 * published API, so no list of tools has it; the team gets it as a request for a diagnostic.
 */
export const askTeam = defineTool({
  name: 'ask_team',
  title: ({ brand }) => `Ask the team${brand ? ` of ${brand}` : ''}`,
  description: () => 'Emails a question to the team.',
  ...submission('diagnostic'),
  operation: {
    tag: 'Forms',
    schemas: ['Question', 'SubmitOk'],
    form: 'Sends a question to the team: people read it and reply.',
    purpose: () => 'Emails a question to the team.',
  },
  input: z.strictObject({
    email: EMAIL,
    context: text({ min: 1, max: 4000, description: 'The question, 1 to 4000 characters.' }),
  }),
});
