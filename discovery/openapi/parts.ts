import * as z from 'zod';
import { Boundary, Claim, Metric, Proof } from '../../brand/profile/schema.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Members of an answer that are schemas of their own, each with where its bounds come from. */
const PARTS: Readonly<Record<string, readonly [name: string, bounds: z.ZodObject]>> = {
  matches: ['Match', Claim],
  metric: ['Metric', Metric],
  boundary: ['Boundary', Boundary],
  proofs: ['Proof', Proof],
};

/** What the tools leave unsaid, since every model that sees them pays for each word. */
const MEANINGS: Readonly<Record<string, string>> = {
  brand: 'Name of the brand.',
  query: 'The question as used: trimmed.',
  matches: 'The best matches, most similar first.',
  category: 'What the claim is about.',
  confidence: 'How sure the brand is of the claim.',
  name: 'What was measured.',
  value: 'The figure.',
  unit: 'Unit of the figure.',
  window: 'The time over which it was measured.',
  baseline: 'What it is compared with.',
  n: 'Number of cases.',
  applicable_for: 'Where the claim applies.',
  not_applicable_for: 'Where it does not.',
  proof_id: 'Names the proof.',
  type: 'Kind of proof.',
  title: 'Title of the proof.',
  summary: 'What it shows.',
  client: 'Whose case it is; named only where the proof is public.',
  verifiable_by: 'How it can be checked.',
  confidentiality: 'Who may see the proof.',
  ok: 'Always true.',
};

/**
 * An output schema and the parts it refers to, by name.
 * @param name of the whole
 */
export function withParts(name: string, schema: Schema): [string, Schema][] {
  const parts: [string, Schema][] = [];
  const whole = split(schema, parts);
  return [[name, whole], ...parts];
}

function split({ properties, ...schema }: Schema, parts: [string, Schema][], bounds: Schema = {}): Schema {
  const members = isSchema(properties) ? Object.entries(properties) : [];
  return {
    ...schema,
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, part(name, { ...boundsOf(bounds[name]), ...asSchema(member) }, parts)]),
    ),
  };
}

function part(name: string, member: Schema, parts: [string, Schema][]): Schema {
  const described = { description: MEANINGS[name], ...member };
  const [title, zod] = PARTS[name] ?? [];
  if (!zod) return described;
  const $ref = `#/components/schemas/${title}`;
  const bounds = asSchema(z.toJSONSchema(zod).properties);
  if (isSchema(member.items)) {
    parts.push([String(title), split(member.items, parts, bounds)]);
    return { maxItems: MAX_ITEMS, ...described, items: { $ref } };
  }
  parts.push([String(title), split(described, parts, bounds)]);
  return { $ref };
}

/** More than any answer has. */
const MAX_ITEMS = 50;

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum'];

function boundsOf(schema: unknown): Schema {
  return Object.fromEntries(Object.entries(asSchema(schema)).filter(([keyword]) => BOUNDS.includes(keyword)));
}

const asSchema = (value: unknown): Schema => (isSchema(value) ? value : {});

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
