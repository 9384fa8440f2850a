import * as z from 'zod';
import { Boundary, Metric, Proof } from '../../brand/profile/schema.ts';
import * as fields from '../../tools/fields.ts';
import { TOOLS } from '../../tools/index.ts';
import { es } from '../../tools/words/es.ts';

/** A tool of the service, as a user of an SDK writes it. */
export interface PeerTool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly run: (input: Record<string, unknown>) => Promise<PeerResult>;
}

export interface PeerResult {
  readonly content: { type: 'text'; text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly [member: string]: unknown;
}

/** The tools of the service for the servers it is compared with: the same names, descriptions and fields. */
export function peerTools(ask: (query: string) => object | Promise<object>): PeerTool[] {
  return TOOLS.map(({ name, description }) => ({
    name,
    description,
    input: INPUTS[name] ?? z.object({}),
    output: name === 'ask_brand' ? ANSWER : SUBMITTED,
    run: async ({ query }) => {
      const answer = name === 'ask_brand' ? await ask(String(query)) : { ok: true, message: '' };
      return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: { ...answer } };
    },
  }));
}

const { name, email, company, role, country } = fields.formFields(es);
const query = fields.QUERY;
const choice = fields.text({ min: 1, max: 40, what: 'A choice of the form,', example: '3 a 5' });
const context = fields.context('What it is about.', 'El margen baja en 300 tiendas.');

const INPUTS: Readonly<Record<string, z.ZodObject>> = {
  ask_brand: z.object({ query }),
  request_diagnostic: z.object({ name, email, company, role, country, context }),
  apply_partner_program: z.object({ name, email, company, size: choice, level: choice, context }),
};

const ANSWER = z.object({
  brand: z.string(),
  query: z.string(),
  matches: z.array(
    z.object({
      claim_id: z.string(),
      statement: z.string(),
      category: z.string(),
      metric: Metric.optional(),
      boundary: Boundary,
      confidence: z.string(),
      similarity: z.number(),
      proofs: z.array(Proof),
    }),
  ),
});

const SUBMITTED = z.object({ ok: z.literal(true), message: z.string(), mode: z.string().optional() });
