import * as z from 'zod';
import { COMPANY, COUNTRY, context, EMAIL, NAME, ROLE } from './fields/fields.ts';
import { SERVICE } from './service-facts.ts';
import { CONFIRMATION, realPost, realSubmission, submission } from './submission.ts';
import { defineTool } from './tool.ts';

export const requestDiagnostic = defineTool({
  name: 'request_diagnostic',
  title: ({ brand }) => `Request a diagnostic${brand ? ` from ${brand}` : ''}`,
  description: ({ brand = 'this brand', mode }) =>
    `Emails a person's request for a diagnostic to the team of ${brand}, and a confirmation to that person (at most ${SERVICE.confirmationsPerDay} a day); ` +
    `a human replies within ${SERVICE.replyHours} hours. ${realSubmission('person', mode)} ` +
    'Not for questions (ask_brand) or partners (apply_partner_program).',
  ...submission('diagnostic'),
  operation: {
    tag: 'Forms',
    schemas: ['DiagnosticRequest', 'SubmitOk'],
    form: 'Asks the team for a diagnostic: a real submission that people read.',
    purpose: ({ mode }) => `Sends a request for a diagnostic to the team by email. ${realPost(mode)} ${CONFIRMATION}`,
  },
  input: z.strictObject({
    name: NAME,
    email: EMAIL,
    company: COMPANY,
    role: ROLE,
    country: COUNTRY,
    context: context(
      'What the brand wants to solve, its market, budget and sales data.',
      'El margen baja; hay dos años de ventas y 20.000 €.',
    ),
  }),
});
