import * as z from 'zod';
import { COMPANY, COUNTRY, context, EMAIL, NAME, ROLE } from './fields.ts';
import { BUCKETS, limitText } from './policies.ts';
import { SERVICE } from './service.ts';
import { SUBMISSION_ANNOTATIONS, SubmitOk, submitted } from './submission.ts';
import { defineTool } from './tool.ts';

export const requestDiagnostic = defineTool({
  name: 'request_diagnostic',
  title: 'Request a diagnostic',
  describe: policies =>
    "Emails a person's request for a diagnostic to this consultancy's team, and a confirmation to that person; " +
    `a human replies within ${SERVICE.replyHours} hours. A real submission, no sandbox: show the person every field ` +
    'and get consent first; never invent one. Returns ok and a message in Spanish; a failure says whether it was kept. ' +
    'Not for questions (ask_brand) or partners (apply_partner_program). ' +
    `Limits: ${limitText(BUCKETS.actions, policies)}, ${limitText(BUCKETS['actions-service'], policies)}.`,
  input: z.strictObject({
    name: NAME,
    email: EMAIL,
    company: COMPANY,
    role: ROLE,
    country: COUNTRY,
    context: context(
      'What the brand wants to solve, its market, budget and sales data.',
      'El margen baja en 300 tiendas; hay dos años de ventas y 20.000 €.',
    ),
  }),
  output: SubmitOk,
  errors: ['validation_error', 'delivery_failed'],
  annotations: SUBMISSION_ANNOTATIONS,
  async handler(fields, { deliver, mode }) {
    return submitted(await deliver('diagnostic', fields), 'tu solicitud', mode);
  },
});
