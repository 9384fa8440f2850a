import { FORM_ROUTES } from '../../rest/forms/forms.ts';
import { type FieldFault, ruleText } from '../../tools/fields/faults.ts';
import type { Kind } from '../../tools/language/es.ts';
import { wordFor } from '../../tools/language/language.ts';
import { BUCKETS, limitText } from '../../tools/policies.ts';
import type { Tool } from '../../tools/tool.ts';
import type { Site } from '../documents/site.ts';
import { inLanguage } from '../look/frame.ts';
import { attributes, html, type Markup } from '../look/html.ts';
import { fieldSchema } from '../openapi/schemas.ts';

/** From this length on a field gets several lines. */
const LONG = 500;

/** Names of HTML's own autofill fields. */
const AUTOFILL = {
  ...{ name: 'name', email: 'email', company: 'organization', role: 'organization-title', country: 'country-name' },
};

/** What was typed into a form, and what is wrong with it. */
export interface Typed {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: readonly FieldFault[];
}

const NOTHING: Typed = { values: {}, faults: [] };

/** @throws Error for a tool that submits nothing */
export function kindOf({ name, submits }: Tool): Kind {
  if (submits === undefined) throw new Error(`${name} has no form`);
  return submits;
}

/** What visitors call a field; a field that no form has keeps its own name. */
export const labelOf = ({ fields }: Site['words'], field: string) => wordFor(fields, field) ?? field;

export const fieldId = (tool: Tool, field: string) => `${tool.name}-${field}`;

/** The form of a tool: labelled native controls with the bounds of its schema, sent as browsers send forms. */
export function submissionForm(site: Site, tool: Tool, typed: Typed = NOTHING): Markup {
  const { words, honeypot } = site;
  const { properties, required = [] } = tool.describe(site.presentation).inputSchema;
  const form = attributes({
    ...{ method: 'post', action: inLanguage(site, actionOf(tool)), 'data-sending': words.forms.sending },
    'data-offline': words.refusals.offline,
    ...{ toolname: tool.name, tooldescription: purpose(site, tool) },
  });
  const controls = Object.entries(properties).map(([name, schema]) =>
    control(site, { tool, name, schema, required: required.includes(name) }, typed),
  );
  return html`<form${form}>
<p class="note">${words.forms.required}</p>
<div class="fields">
${controls}
</div>
${consent(site, tool)}
${trap(site, '_gotcha')}${honeypot !== undefined && trap(site, honeypot)}
<button>${words.actions[kindOf(tool)].button}</button>
</form>`;
}

/** WebMCP, declarative: a browser's agent may fill the form in; `toolautosubmit` is left out, so a person sends it. */
function purpose({ policies }: Site, tool: Tool): string {
  return `${tool.operation.form} The person checks every field and sends it; never invent one. Limit: ${limitText(BUCKETS.forms, policies)}.`;
}

function actionOf(tool: Tool): string {
  const route = FORM_ROUTES.find(row => row.tool === tool);
  if (!route) throw new Error(`${tool.name} has no form`);
  return route.path;
}

interface Field {
  readonly tool: Tool;
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

function control({ words }: Site, { tool, name, schema, required }: Field, { values, faults }: Typed): Markup {
  const id = fieldId(tool, name);
  const fault = faults.find(({ field }) => field === name);
  const label = labelOf(words, name);
  const long = Number(schema.maxLength) > LONG;
  const offered = name === 'size' || name === 'level' ? words.choices[name] : [];
  const shared = {
    ...{ id, name, required, minlength: numberIn(schema.minLength), maxlength: numberIn(schema.maxLength) },
    placeholder: long ? words.actions[kindOf(tool)].context : wordFor(words.placeholders, name),
    toolparamdescription: `${label}. ${numberIn(schema.minLength)} to ${numberIn(schema.maxLength)} characters.`,
    ...(fault && { 'aria-invalid': 'true', 'aria-describedby': `${id}-error`, autofocus: fault === faults[0] }),
  };
  const value = wordFor(values, name);
  const input = {
    ...{
      ...shared,
      value,
      type: fieldSchema(tool, name).format === 'email' ? 'email' : 'text',
      autocomplete: wordFor(AUTOFILL, name),
    },
    list: offered.length > 0 ? `${id}-choices` : undefined,
  };
  return html`<div${attributes({ class: long && 'wide' })}><label for="${id}">${label}</label>${
    long ? html`<textarea${attributes(shared)}>${value}</textarea>` : html`<input${attributes(input)}>`
  }${offered.length > 0 && html`<datalist id="${id}-choices">${offered.map(choice => html`<option value="${choice}"></option>`)}</datalist>`}${
    fault && html`<p class="error" id="${id}-error">${label}: ${ruleText(fault, words.rules)}</p>`
  }</div>`;
}

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Asked for only where there is a policy to agree to: PRIVACY_URL, or the profile's own (AdCP `privacy_policy_url`). */
function consent({ privacyUrl, profile, words: { forms } }: Site, tool: Tool): Markup | false {
  const own = profile?.privacy_policy_url;
  const url = privacyUrl ?? (typeof own === 'string' && /^https?:\/\//.test(own) ? own : undefined);
  if (url === undefined) return false;
  const id = fieldId(tool, 'consent');
  return html`<div class="check"><input type="checkbox" id="${id}" name="consent" value="${url}" required><label for="${id}">${forms.consent} <a href="${url}">${forms.privacy}</a></label></div>`;
}

/** A field that people do not see and programs fill in. */
const trap = ({ words }: Site, name: string) =>
  html`<div class="trap" aria-hidden="true"><label>${words.forms.trap} <input name="${name}" tabindex="-1" autocomplete="off"></label></div>`;
