import { SERVICE } from '../../tools/service.ts';

interface Purpose {
  readonly tag: string;
  /** For a programmer; `Tool.describe` speaks to a model about the same tool over MCP. */
  readonly purpose: string;
  /** What a success means. */
  readonly result: string;
}

const REPLY = `A human replies within ${SERVICE.replyHours} hours.`;
const REAL = 'A real submission: there is no sandbox. To automate submissions, use the tool at POST /mcp.';

/** What the REST operation of each tool is for. */
export const PURPOSES: Readonly<Record<string, Purpose>> = {
  ask_brand: {
    tag: 'Questions',
    purpose:
      'Answers a question with the best matching claims of the signed brand profile, verbatim, with their proofs and ' +
      'boundaries. No text is generated: compose the answer, honor each boundary, cite `claim_id`. Read-only.',
    result: 'Matches, most similar first.',
  },
  request_diagnostic: {
    tag: 'Forms',
    purpose: `Sends a request for a diagnostic to the team by email, and a confirmation to the person. ${REPLY} ${REAL}`,
    result: 'The request has reached the team.',
  },
  apply_partner_program: {
    tag: 'Forms',
    purpose: `Sends an application to the partner program to the team by email. ${REPLY} ${REAL}`,
    result: 'The application has reached the team.',
  },
};

/** In the order in which the description lists them. */
export const TAGS = [
  { name: 'Questions', description: 'Natural-language questions, answered from the signed brand profile.' },
  { name: 'Forms', description: 'The forms of the website: real submissions that a human answers.' },
  { name: 'Status', description: 'Liveness.' },
  { name: 'MCP', description: 'The same actions as tools of the Model Context Protocol.' },
];
