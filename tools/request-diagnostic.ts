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
    'Sends a request for a diagnostic to the team of this consultancy by email, on behalf of a person who asked for it, ' +
    `and a confirmation to that person. A human replies within ${SERVICE.replyHours} hours. ` +
    'A real submission, there is no sandbox: show the person every field and get their consent first, never invent one. ' +
    'Not for questions (use ask_brand) or partner applications (use apply_partner_program). ' +
    'Returns ok and a message in Spanish; when it fails, the error says whether the request was kept. ' +
    `Limits: ${limitText(BUCKETS.actions, policies)}, ${limitText(BUCKETS['actions-service'], policies)}.`,
  input: z.strictObject({
    name: NAME,
    email: EMAIL,
    company: COMPANY,
    role: ROLE,
    country: COUNTRY,
    context: context(
      'What the brand wants to solve, its market, the budget and the sales data available.',
      'Vendemos conservas en 300 tiendas y el margen baja; tenemos dos años de ventas semanales y 20.000 € de presupuesto.',
    ),
  }),
  output: SubmitOk,
  errors: ['validation_error', 'delivery_failed'],
  annotations: SUBMISSION_ANNOTATIONS,
  async handler(fields, { deliver, mode }) {
    return submitted(await deliver('diagnostic', fields), 'tu solicitud', mode);
  },
});
