import { randomUUID } from 'node:crypto';
import type { Attempt } from '../../rest/reply.ts';
import { formPath } from '../../rest/routes.ts';
import type { Action } from '../../tools/action.ts';
import { type FieldFault, ruleText } from '../../tools/faults.ts';
import type { Tool } from '../../tools/tool.ts';
import { wordFor } from '../../tools/words/language.ts';
import type { Site } from '../documents/site.ts';
import { inLanguage, privacyOf } from './frame.ts';
import { attributes, html, type Markup } from './html.ts';

/** HTML's autofill name of each field. */
const AUTOFILL: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'email',
  company: 'organization',
  role: 'organization-title',
  country: 'country-name',
};

/** The action that a tool submits. @throws Error for a tool without one */
export function actionIn({ name, submits }: Tool): Action {
  if (submits === undefined) throw new Error(`${name} has no form`);
  return submits;
}

export const fieldId = (tool: Tool, field: string) => `${tool.name}-${field}`;

/**
 * The form of a tool: native controls with the bounds of its schema, posted by the browser. Each form gets a
 * new hidden key, so that posting it twice makes one submission.
 * @param attempt what was typed, and fields of other websites (`_next`, `utm_*`), which become hidden fields
 */
export function submissionForm(site: Site, attempt: Attempt, faults: readonly FieldFault[] = []): Markup {
  const { words } = site;
  const privacyUrl = privacyOf(site.profile);
  const { tool, otherFields } = attempt;
  const action = actionIn(tool);
  // With a privacy policy, consent is a checkbox and no hidden field.
  const carried = Object.entries({ ...otherFields, _key: randomUUID() }).filter(
    ([name]) => name !== 'consent' || privacyUrl === undefined,
  );
  return html`<form method="post" action="${inLanguage(site, formPath(action))}">
<p class="note">${words.forms.required}</p>
${Object.keys(tool.input.shape).map(name => field(site, attempt, name, faults))}
${privacyUrl !== undefined && consent(site, attempt, privacyUrl, faults)}
${carried.map(([name, value]) => html`<input${attributes({ type: 'hidden', name, value })}>\n`)}
<div class="trap" aria-hidden="true">
<label>${words.forms.trap} <input name="_gotcha" tabindex="-1" autocomplete="off"></label>
</div>
<button>${action.wordsIn(words).button}</button>
</form>`;
}

function field(site: Site, { tool, values }: Attempt, name: string, faults: readonly FieldFault[]): Markup {
  const { properties, required = [] } = tool.listing().inputSchema;
  const { minLength, maxLength } = properties[name] ?? {};
  const { label, hint, choices = [] } = wordsOf(site, tool, name);
  const { id, control, error } = describedControl(site, tool, name, faults, hint !== undefined);
  const isLong = name === 'context';
  const value = wordFor(values, name) ?? '';
  const shared = { ...control, required: required.includes(name) };
  const text = {
    ...shared,
    minlength: Number(minLength),
    // Browsers count an emoji as two and would cut a long text that is short enough. The server counts.
    maxlength: isLong ? undefined : Number(maxLength),
  };
  const type = name === 'email' ? 'email' : 'text';
  const input = { ...text, value, type, autocomplete: wordFor(AUTOFILL, name) };
  const line = choices.length > 0 ? select(shared, choices, value) : html`<input${attributes(input)}>`;
  return html`<div>
<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
${error}
${isLong ? html`<textarea${attributes(text)}>${value}</textarea>` : line}
</div>
`;
}

/** The words of a field: label, hint and choices. */
function wordsOf({ words }: Site, tool: Tool, name: string) {
  const label = wordFor(words.forms.labels, name) ?? name;
  if (name === 'size') return { label, choices: words.choices.size };
  if (name === 'level')
    return { label, choices: actionIn(tool).wordsIn(words).levels ?? words.choices.level };
  if (name !== 'context') return { label };
  const { question, context } = actionIn(tool).wordsIn(words);
  return { label: question, hint: context };
}

/** A list of choices. A value that another form sent is added, so that it is not lost. */
function select(
  control: Parameters<typeof attributes>[0],
  choices: readonly string[],
  value: string,
): Markup {
  const offered = value === '' || choices.includes(value) ? choices : [value, ...choices];
  const options = offered.map(
    choice => html`<option${attributes({ selected: choice === value })}>${choice}</option>\n`,
  );
  return html`<select${attributes(control)}>
<option value=""></option>
${options}</select>`;
}

/** The attributes of a control and what is wrong with it. The first fault has the focus. */
function describedControl(
  site: Site,
  tool: Tool,
  name: string,
  faults: readonly FieldFault[],
  hasHint = false,
) {
  const id = fieldId(tool, name);
  const index = faults.findIndex(({ field }) => field === name);
  const fault = faults[index];
  const described = [hasHint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    'aria-describedby': described || undefined,
    'aria-invalid': fault && 'true',
    autofocus: index === 0,
  };
  const error = fault && html`<p class="error" id="${id}-error">${faultSentence(site, fault)}</p>`;
  return { id, control, error };
}

function consent(
  site: Site,
  { tool, values }: Attempt,
  privacyUrl: string,
  faults: readonly FieldFault[],
): Markup {
  const { forms } = site.words;
  const { id, control, error } = describedControl(site, tool, 'consent', faults);
  const box = {
    ...control,
    type: 'checkbox',
    value: privacyUrl,
    required: true,
    checked: (values.consent ?? '') !== '',
  };
  return html`${error}
<div class="check">
<input${attributes(box)}>
<label for="${id}">${forms.consent} <a href="${privacyUrl}">${forms.privacy}</a></label>
</div>`;
}

/** A sentence that says how to mend a fault. The field and the summary show the same one. */
export function faultSentence({ words }: Site, fault: FieldFault): string {
  const { missing, emailLocal, atLeast, atMost } = words.forms;
  const sentence = wordFor(missing, fault.field);
  const { rule, bound = 0 } = fault;
  if (sentence === undefined || rule === 'once') {
    return `${wordFor(words.fields, fault.field) ?? fault.field}: ${ruleText(fault, words.rules)}.`;
  }
  if (rule === 'emailLocal') return `${emailLocal}.`;
  if (rule === 'atLeast' && bound > 1) return `${atLeast(sentence, bound)}.`;
  if (rule === 'atMost') return `${atMost(sentence, bound)}.`;
  return `${sentence}.`;
}
