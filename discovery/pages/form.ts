import { formPath } from '../../rest/routes.ts';
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
const AUTOFILL: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'email',
  company: 'organization',
  role: 'organization-title',
  country: 'country-name',
};

/** What was typed into a form, and what is wrong with it. */
export interface Typed {
  /** The fields of the tool, and `consent`. */
  readonly values: Readonly<Record<string, string>>;
  /** Other fields that were sent (`_next`, `page`, `utm_*`, the website's own): they are carried along, hidden. */
  readonly otherFields?: Readonly<Record<string, string>>;
  readonly faults?: readonly FieldFault[];
  /** Names this form as it is shown to one person: two posts of it are one submission. */
  readonly key: string;
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

export const fieldId = (tool: Tool, field: string) => `${tool.name}-${field}`;

/** The form of a tool: labelled native controls with the bounds of its schema, sent as browsers send forms. */
export function submissionForm(site: Site, tool: Tool, typed: Typed): Markup {
  const { words } = site;
  const { properties, required = [] } = tool.listing().inputSchema;
  const action = actionIn(tool);
  const controls = Object.entries(properties).map(([name, schema]) =>
    control(site, { tool, name, schema, required: required.includes(name) }, typed),
  );
  return html`<form method="post" action="${inLanguage(site, formPath(action))}" data-busy="${words.forms.sending}">
<p class="note">${words.forms.required}</p>
<div class="fields">
${controls}
</div>
${consent(site, tool, typed)}
<input type="hidden" name="_key" value="${typed.key}">
${carried(site, typed)}
${trap(site, '_gotcha')}
<button>${action.wordsIn(words).button}</button>
</form>`;
}

/** Consent is shown as a box where there is a policy to agree to. */
function carried({ privacyUrl }: Site, { otherFields = {} }: Typed): Markup {
  const hidden = Object.entries(otherFields).filter(
    ([name]) => name !== 'consent' || privacyUrl === undefined,
  );
  return html`${hidden.map(([name, value]) => html`<input${attributes({ type: 'hidden', name, value })}>\n`)}`;
}

interface Field {
  readonly tool: Tool;
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly required: boolean;
}

function control(site: Site, field: Field, { values, faults = [] }: Typed): Markup {
  const { tool, name, schema, required } = field;
  const id = fieldId(tool, name);
  const fault = faults.find(fault => fault.field === name);
  const isLong = Number(schema.maxLength) > LONG;
  const { label, hint } = wordsOf(site, tool, name);
  const choices = choicesOf(site, tool, name);
  const described = [hint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ');
  const shared = {
    id,
    name,
    required,
    minlength: numberOf(schema.minLength),
    maxlength: numberOf(schema.maxLength),
    'aria-describedby': described || undefined,
    'aria-invalid': fault && 'true',
    autofocus: fault !== undefined && fault === faults[0],
  };
  const value = wordFor(values, name);
  const input = {
    ...shared,
    value,
    type: fieldSchema(tool, name).format === 'email' ? 'email' : 'text',
    autocomplete: wordFor(AUTOFILL, name),
    list: choices.length > 0 && `${id}-choices`,
  };
  return html`<div${attributes({ class: !isLong && 'half' })}>
<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${fault && errorLine(site, id, fault)}
${isLong ? html`<textarea${attributes(shared)}>${value}</textarea>` : html`<input${attributes(input)}>`}
${choices.length > 0 && choiceList(id, choices)}
</div>
`;
}

/** The question that stands above a field, and the hint between it and the box. */
function wordsOf({ words }: Site, tool: Tool, name: string): { label: string; hint?: string | undefined } {
  const { labels } = words.forms;
  if (name !== 'context') return { label: wordFor(labels, name) ?? name };
  const { question, context } = actionIn(tool).wordsIn(words);
  return { label: question, hint: context };
}

/** What a field of free text offers. */
function choicesOf({ words }: Site, tool: Tool, name: string): readonly string[] {
  if (name === 'size') return words.choices.size;
  if (name === 'level') return actionIn(tool).wordsIn(words).levels ?? words.choices.level;
  return [];
}

const choiceList = (id: string, choices: readonly string[]): Markup =>
  html`<datalist id="${id}-choices">
${choices.map(choice => html`<option value="${choice}"></option>\n`)}</datalist>`;

const errorLine = (site: Site, id: string, fault: FieldFault) =>
  html`<p class="error" id="${id}-error">${faultSentence(site, fault)}</p>`;

/** What to do about a fault, as a sentence: the same at the field and in the summary. */
export function faultSentence({ words }: Site, fault: FieldFault): string {
  const { missing, address, atLeast, atMost } = words.forms;
  const sentence = wordFor(missing, fault.field);
  const { rule, bound = 0 } = fault;
  if (sentence === undefined || rule === 'unknown') {
    return `${wordFor(words.fields, fault.field) ?? fault.field}: ${ruleText(fault, words.rules)}.`;
  }
  if (rule === 'emailLocal' || rule === 'emailDomain') return `${address} ${ruleText(fault, words.rules)}.`;
  if (rule === 'atLeast' && bound > 1) return `${atLeast(sentence, bound)}.`;
  if (rule === 'atMost') return `${atMost(sentence, bound)}.`;
  return `${sentence}.`;
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined);

/** Asked for only where there is a policy to agree to. */
function consent(site: Site, tool: Tool, { values, faults = [] }: Typed): Markup | false {
  const { privacyUrl, words } = site;
  if (privacyUrl === undefined) return false;
  const id = fieldId(tool, 'consent');
  const fault = faults.find(({ field }) => field === 'consent');
  const box = {
    type: 'checkbox',
    id,
    name: 'consent',
    value: privacyUrl,
    required: true,
    checked: values.consent !== undefined && values.consent !== '',
    'aria-invalid': fault && 'true',
    'aria-describedby': fault && `${id}-error`,
    autofocus: fault !== undefined && fault === faults[0],
  };
  return html`${fault && errorLine(site, id, fault)}
<div class="check">
<input${attributes(box)}>
<label for="${id}">${words.forms.consent} <a href="${privacyUrl}">${words.forms.privacy}</a></label>
</div>`;
}

/** A field that people do not see. A post that fills it in comes from a program. */
const trap = ({ words }: Site, name: string) =>
  html`<div class="trap" aria-hidden="true"><label>${words.forms.trap} <input name="${name}" tabindex="-1" autocomplete="off"></label></div>`;
