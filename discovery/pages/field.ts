import { LABELS } from '../../rest/form-page.ts';
import { LEVELS, SIZES } from '../../tools/apply-partner-program.ts';
import type { Tool } from '../../tools/tool.ts';
import { fieldSchema } from '../openapi/schemas.ts';
import { attributes, html, type Markup } from './html.ts';

/** From this length on a field gets several lines. */
const LONG = 500;

/** What the form offers where the field itself is free text. */
const CHOICES: Readonly<Record<string, readonly string[]>> = { size: SIZES, level: LEVELS };

/** Names of HTML's own autofill fields. */
const AUTOFILL: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'email',
  company: 'organization',
  role: 'organization-title',
  country: 'country-name',
};

/** Labelled native controls for the fields of a tool, with the bounds of its schema. */
export function fields(tool: Tool): Markup {
  const { inputSchema } = tool;
  const required = new Set(inputSchema.required);
  const controls = Object.entries(inputSchema.properties).map(([name, schema]) =>
    control({ tool, name, schema, required: required.has(name) }),
  );
  return html`<div class="fields">
${controls}
</div>`;
}

interface Field {
  readonly tool: Tool;
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

function control({ tool, name, schema, required }: Field): Markup {
  const id = `${tool.name}-${name}`;
  const label = html`<label for="${id}">${LABELS[name] ?? name}</label>`;
  const shared = {
    id,
    name,
    required,
    minlength: numberIn(schema.minLength),
    maxlength: numberIn(schema.maxLength),
    placeholder: Array.isArray(schema.examples) ? String(schema.examples[0]) : undefined,
    toolparamdescription: typeof schema.description === 'string' ? schema.description : undefined,
  };
  if (Number(schema.maxLength) > LONG) {
    return html`<div class="wide">${label}<textarea${attributes(shared)}></textarea></div>`;
  }
  const list = CHOICES[name] && `${id}-choices`;
  const input = {
    ...shared,
    type: fieldSchema(tool, name).format === 'email' ? 'email' : 'text',
    autocomplete: AUTOFILL[name],
    list,
  };
  return html`<div>${label}<input${attributes(input)}>${list && choices(list, CHOICES[name] ?? [])}</div>`;
}

const choices = (id: string, offered: readonly string[]) =>
  html`<datalist id="${id}">${offered.map(choice => html`<option value="${choice}"></option>`)}</datalist>`;

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);
