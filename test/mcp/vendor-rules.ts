import { isRecord } from '../../tools/object-schema.ts';
import type { ToolListing } from '../../tools/tool.ts';

/**
 * What the makers of models document of the tools that their APIs take. MCP hosts hand `tools/list` on to these APIs,
 * some of them unchanged, most with the server's name before the tool's.
 */
interface VendorRules {
  readonly vendor: string;
  /** Where it is documented. */
  readonly source: string;
  readonly name: RegExp;
  readonly property: RegExp;
  readonly mostDescription: number;
  /** Keywords of a schema that are taken. */
  readonly keywords: ReadonlySet<string>;
  /** Every property is required, and no other is taken. */
  readonly isStrict: boolean;
}

const COMMON = ['type', 'properties', 'required', 'items', 'description', 'enum', 'additionalProperties'];
const LENGTHS = ['minLength', 'maxLength'];

export const VENDORS: readonly VendorRules[] = [
  {
    vendor: 'Google function declarations',
    source: 'cloud.google.com/vertex-ai/docs/reference/rest/v1beta1/FunctionDeclaration, Schema',
    name: /^[A-Za-z_][\w.-]{0,62}$/,
    property: /^[A-Za-z_]\w{0,63}$/,
    mostDescription: 1024,
    keywords: new Set([...COMMON, ...LENGTHS, 'title', 'nullable', 'default', 'minimum', 'maximum', 'anyOf']),
    isStrict: false,
  },
  {
    vendor: 'OpenAI strict functions and Apps',
    source: 'platform.openai.com/docs/guides/structured-outputs, Supported schemas',
    name: /^[\w-]{1,64}$/,
    property: /^[\w-]{1,64}$/,
    mostDescription: 1024,
    keywords: new Set([...COMMON, ...LENGTHS, 'minimum', 'maximum', 'anyOf']),
    isStrict: true,
  },
  {
    vendor: 'Anthropic tool use, strict',
    source: 'platform.claude.com/docs/en/agents-and-tools/tool-use, Define tools and Strict tool use',
    name: /^[\w-]{1,64}$/,
    property: /^[\w.-]{1,64}$/,
    mostDescription: 10_000,
    // Lengths are dropped by its SDKs, so the description has to state them: see `faultsOfSchema`.
    keywords: new Set([...COMMON, ...LENGTHS, 'anyOf', 'default']),
    isStrict: true,
  },
];

/** A server's name before a tool's, as Claude Code and Cursor write it. */
const PREFIX = 'mcp__a_brand_with_a_long_name__';

/** @returns everything that one vendor would refuse of a published tool; nothing where it takes the tool */
export function vendorFaults({ name, description, inputSchema }: ToolListing, rules: VendorRules): string[] {
  const faults = faultsOfSchema(inputSchema, rules, 'inputSchema');
  for (const named of [name, PREFIX + name])
    if (!rules.name.test(named)) faults.push(`the name ${named} does not fit ${rules.name}`);
  if (inputSchema.type !== 'object') faults.push('inputSchema is no object');
  if (description.length > rules.mostDescription)
    faults.push(`the description has ${description.length} characters`);
  return faults.map(fault => `${rules.vendor}: ${fault}`);
}

function faultsOfSchema(
  schema: Readonly<Record<string, unknown>>,
  rules: VendorRules,
  path: string,
): string[] {
  const { type, properties, required, items, description, maxLength, additionalProperties } = schema;
  const faults = Object.keys(schema)
    .filter(keyword => !rules.keywords.has(keyword))
    .map(keyword => `${path}: ${keyword} is not taken`);
  if (typeof type !== 'string') faults.push(`${path}: needs one type`);
  if (maxLength !== undefined && !String(description).includes(String(maxLength)))
    faults.push(`${path}: the description does not state the length of at most ${maxLength}`);
  if (isRecord(properties)) {
    const names = Object.keys(properties);
    const isClosed = additionalProperties === false && String(required) === String(names);
    if (rules.isStrict && !isClosed)
      faults.push(`${path}: every property must be required, and no other taken`);
    for (const [name, member] of Object.entries(properties)) {
      if (!rules.property.test(name)) faults.push(`${path}: the property ${name} is not taken`);
      if (isRecord(member)) faults.push(...faultsOfSchema(member, rules, `${path}.${name}`));
    }
  }
  if (isRecord(items)) faults.push(...faultsOfSchema(items, rules, `${path}[]`));
  return faults;
}
