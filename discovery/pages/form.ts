import { randomUUID } from 'node:crypto';
import { asksTeam, formPath } from '../../rest/forms.ts';
import type { Action } from '../../tools/action.ts';
import { type FieldFault, ruleText } from '../../tools/faults.ts';
import type { Tool } from '../../tools/tool.ts';
import { wordFor } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { fieldSchema } from '../openapi/schemas.ts';
import { inLanguage } from './frame.ts';
import { attributes, html, type Markup } from './html.ts';

/** From this length on a field gets several lines. */
const LONG = 500;

/** Names of HTML's own autofill fields. */
const AUTOFILL = {
  ...{
    name: 'name',
    email: 'email',
    company: 'organization',
    role: 'organization-title',
    country: 'country-name',
  },
};

/** What was typed into a form, and what is wrong with it. */
export interface Typed {
  readonly values: Readonly<Record<string, string>>;
  /** Other fields of the form that was sent: they go along, unseen. */
  readonly others?: Readonly<Record<string, string>>;
  readonly faults?: readonly FieldFault[];
  /** Names this form as it is shown to one person: two posts of it are one submission. Absent where many get the same page. */
  readonly key?: string;
}

/** @throws Error for a tool that submits nothing */
export function actionIn({ name, submits }: Tool): Action {
  if (submits === undefined) throw new Error(`${name} has no form`);
  return submits;
}

/** What an action is for and when a person replies; in a dry run, that nobody does. */
export function leadOf({ words, mode }: Site, lead: string, { replyHours }: Action): string {
  return `${lead} ${mode === 'production' ? words.reply(replyHours) : words.trial}`;
}

/** What visitors call a field; a field that no form has keeps its own name. */
export const labelOf = ({ fields }: Site['words'], field: string) => wordFor(fields, field) ?? field;

export const fieldId = (tool: Tool, field: string) => `${tool.name}-${field}`;

/** The form of a tool: labelled native controls with the bounds of its schema, sent as browsers send forms. */
export function submissionForm(site: Site, tool: Tool, typed: Typed = { values: {} }): Markup {
  const { words, honeypot } = site;
  const { properties, required = [] } = tool.listed().inputSchema;
  const isQuestion = asksTeam(tool);
  const form = attributes({
    ...{ method: 'post', action: inLanguage(site, formPath(tool)), 'data-busy': words.forms.sending },
    ...{ 'data-offline': words.refusals.offline, 'data-unavailable': words.refusals.failed.text },
  });
  const controls = Object.entries(properties).map(([name, schema]) =>
    control(site, { tool, name, schema, required: required.includes(name) }, typed),
  );
  return html`<form${form}>
${!isQuestion && html`<p class="note">${words.forms.required}</p>`}
<div class="fields">
${controls}
</div>
${consent(site, tool, typed)}
${otherFields(site, typed)}
<input type="hidden" name="_key" value="${typed.key ?? ''}">${trap(site, '_gotcha')}${honeypot !== undefined && trap(site, honeypot)}
<button>${isQuestion ? words.ask.contact.button : actionIn(tool).wordsIn(words).button}</button>
</form>`;
}

/** Consent is shown as a box where there is a policy to agree to. */
const otherFields = ({ privacyUrl }: Site, { others = {} }: Typed): Markup[] =>
  Object.entries(others)
    .filter(([name]) => name !== 'consent' || privacyUrl === undefined)
    .map(([name, value]) => html`<input${attributes({ type: 'hidden', name, value })}>`);

/** The short form that a question leads to where no claim answers it. */
export const questionForm = (site: Site, tool: Tool, query: string): Markup =>
  submissionForm(site, tool, { values: { context: query }, key: randomUUID() });

interface Field {
  readonly tool: Tool;
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

function control(
  site: Site,
  { tool, name, schema, required }: Field,
  { values, faults = [] }: Typed,
): Markup {
  const { words } = site;
  const id = fieldId(tool, name);
  const fault = faults.find(({ field }) => field === name);
  const isLong = Number(schema.maxLength) > LONG;
  const label = isLong && asksTeam(tool) ? words.ask.label : labelOf(words, name);
  const help = isLong && !asksTeam(tool) ? actionIn(tool).wordsIn(words).context : undefined;
  const levels = actionIn(tool).wordsIn(words).levels ?? words.choices.level;
  const offered = name === 'level' ? levels : name === 'size' ? words.choices.size : [];
  const shared = {
    ...{ id, name, required, minlength: numberIn(schema.minLength), maxlength: numberIn(schema.maxLength) },
    'aria-describedby': [fault && `${id}-error`, help && `${id}-help`].filter(Boolean).join(' ') || undefined,
    ...(fault && { 'aria-invalid': 'true', autofocus: fault === faults[0] }),
  };
  const value = wordFor(values, name);
  const input = {
    ...{ ...shared, value, autocomplete: wordFor(AUTOFILL, name) },
    type: fieldSchema(tool, name).format === 'email' ? 'email' : 'text',
    ...(offered.length > 0 && { list: `${id}-choices`, placeholder: wordFor(words.placeholders, name) }),
  };
  return html`<div${attributes({ class: !isLong && !asksTeam(tool) && 'half' })}><label for="${id}">${label}</label>${
    isLong ? html`<textarea${attributes(shared)}>${value}</textarea>` : html`<input${attributes(input)}>`
  }${help && html`<p class="help" id="${id}-help">${help}</p>`}${offered.length > 0 && html`<datalist id="${id}-choices">${offered.map(choice => html`<option value="${choice}"></option>`)}</datalist>`}${
    fault && errorLine(site, id, fault)
  }</div>`;
}

const errorLine = ({ words }: Site, id: string, fault: FieldFault) =>
  html`<p class="error" id="${id}-error">${labelOf(words, fault.field)}: ${ruleText(fault, words.rules)}</p>`;

const numberIn = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Asked for only where there is a policy to agree to. */
function consent(site: Site, tool: Tool, { values, faults = [] }: Typed): Markup | false {
  const { privacyUrl, words } = site;
  if (privacyUrl === undefined) return false;
  const id = fieldId(tool, 'consent');
  const fault = faults.find(({ field }) => field === 'consent');
  const box = attributes({
    ...{ type: 'checkbox', id, name: 'consent', value: privacyUrl, required: true },
    checked: values.consent !== undefined,
    ...(fault && {
      'aria-invalid': 'true',
      'aria-describedby': `${id}-error`,
      autofocus: fault === faults[0],
    }),
  });
  return html`<div class="check"><input${box}><label for="${id}">${words.forms.consent} <a href="${privacyUrl}">${words.forms.privacy}</a></label></div>${fault && errorLine(site, id, fault)}`;
}

/** A field that people do not see and programs fill in. */
const trap = ({ words }: Site, name: string) =>
  html`<div class="trap" aria-hidden="true"><label>${words.forms.trap} <input name="${name}" tabindex="-1" autocomplete="off"></label></div>`;
