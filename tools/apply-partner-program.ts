import * as z from 'zod';
import { COMPANY, COUNTRY, context, EMAIL, NAME, text } from './fields/fields.ts';
import { es } from './language/es.ts';
import { SERVICE } from './service-facts.ts';
import { realPost, realSubmission, submission } from './submission.ts';
import { defineTool } from './tool.ts';

/** What the form offers; the fields themselves are free text. */
const { size: SIZES, level: LEVELS } = es.choices;

export const applyPartnerProgram = defineTool({
  name: 'apply_partner_program',
  title: ({ brand }) => `Apply to the partner program${brand ? ` of ${brand}` : ''}`,
  description: ({ brand = 'this brand', mode }) =>
    `Emails an agency's or consultant's application to the partner program to the team of ${brand}; ` +
    `a human replies within ${SERVICE.replyHours} hours. ${realSubmission('applicant', mode)} ` +
    'Not for brands that need help (request_diagnostic) or questions (ask_brand).',
  ...submission('partner'),
  operation: {
    tag: 'Forms',
    schemas: ['PartnerRequest', 'SubmitOk'],
    form: 'Applies to the partner program: a real submission that people read.',
    purpose: ({ mode }) => `Sends an application to the partner program to the team by email. ${realPost(mode)}`,
  },
  input: z.strictObject({
    name: NAME,
    email: EMAIL,
    company: COMPANY,
    size: text({
      min: 1,
      max: 40,
      description: `Team size, 1 to 40 characters. Form choices: ${SIZES.join('; ')}.`,
      example: SIZES[2] ?? '',
    }),
    level: text({
      min: 1,
      max: 80,
      description: `Program level, 1 to 80 characters. Form choices: ${LEVELS.join('; ')}.`,
      example: LEVELS[4] ?? '',
    }),
    country: COUNTRY,
    context: context(
      'Who the applicant works for and what they would bring.',
      'Agencia de alimentación con doce clientes.',
    ),
  }),
});
