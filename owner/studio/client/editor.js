import {
  alertOf,
  brandLanguage,
  call,
  choiceWord,
  fieldWord,
  guarded,
  h,
  proofs,
  say,
  state,
  t,
  valueAt,
} from './page.js';

/** How long a hand rests before what it typed is saved. */
const REST_MS = 250;

const waiting = new Map();
let timer;
let sending = Promise.resolve();
const listeners = new Set();

/** Told after every change, with what the desk answered. */
export const onChange = listener => listeners.add(listener);

export const isWaiting = () => waiting.size > 0;

/** Keeps a change for the next save; a later one of the same member takes its place. */
export function change(edit, restMs = REST_MS) {
  waiting.set(edit.do === 'set' || edit.do === 'remove' ? JSON.stringify(edit.path) : Symbol('once'), edit);
  say(t('saving'));
  clearTimeout(timer);
  timer = setTimeout(() => void save(), restMs);
}

/** Sends what waits, one request after the other. */
export function save() {
  clearTimeout(timer);
  const edits = [...waiting.values()];
  waiting.clear();
  if (edits.length === 0) return sending;
  sending = sending.then(async () => {
    try {
      take(await call('edit', { edits }));
      say(t('saved'));
    } catch (error) {
      alertOf(h('p', {}, t('unsaved', error.message)));
      say('');
    }
  });
  return sending;
}

/** Makes an answer of the desk the state of the page. */
export function take(answer) {
  if (answer.document) state.document = answer.document;
  state.version = answer.version;
  state.canUndo = answer.canUndo ?? state.canUndo;
  for (const [group, list] of Object.entries(answer.findings ?? {})) {
    if (list.length === 0) delete state.findings[group];
    else state.findings[group] = list;
  }
  if (answer.conflicts?.length > 0) alertOf(...answer.conflicts.map(conflictOf));
  else if (answer.merged) alertOf(h('p', {}, t('merged')));
  for (const listener of listeners) listener(answer);
}

const conflictOf = ({ path, mine }) =>
  h(
    'p',
    {},
    `${t('conflict', path.join(' / '))} `,
    h('button', { onclick: guarded(() => useMine(path, mine)) }, t('use_mine')),
  );

function useMine(path, mine) {
  alertOf();
  change(editOf(path, mine), 0);
}

const editOf = (path, value) => (value === undefined ? { do: 'remove', path } : { do: 'set', path, value });

/** Puts a value into the state at once, and into the file when the hand rests. */
function put(path, value) {
  const parent = path.slice(0, -1).reduce((part, name, at) => {
    part[name] ??= typeof path[at + 1] === 'number' ? [] : {};
    return part[name];
  }, state.document);
  if (value === undefined) delete parent[path.at(-1)];
  else parent[path.at(-1)] = value;
  change(editOf(path, value));
}

/** A number as people of the profile's language write it; any other text stays a text. */
export function figureOf(text) {
  const spanish = !/^en\b/i.test(brandLanguage());
  const [thousands, decimal] = spanish ? ['.', ','] : [',', '.'];
  const grouped = new RegExp(`^-?\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\${decimal}\\d+)?$`).test(text);
  const plain = grouped ? text.replaceAll(thousands, '') : text;
  const number = plain.replace(',', '.');
  return /^-?\d{1,12}(?:\.\d{1,6})?$/.test(number) ? Number(number) : text;
}

const shownFigure = value =>
  typeof value === 'number' && !/^en\b/i.test(brandLanguage()) ? String(value).replace('.', ',') : String(value ?? '');

const READ = {
  figure: text => (text === '' ? undefined : figureOf(text)),
  count: text => (/^\d+$/.test(text) ? Number(text) : text || undefined),
  date: text => (text ? `${text}T23:59:59Z` : undefined),
};

/** The form of one part: its fields, each with what is to mend beside it. */
export function form(kind, base) {
  const fields = state.fields[kind];
  const box = h('form', { class: 'part', onsubmit: event => event.preventDefault() });
  const rest = h('ul', { class: 'findings' });
  box.append(rest, ...fields.map(field => control(field, base)));
  box.dataset.base = JSON.stringify(base);
  box.dataset.kind = kind;
  showFindings(box);
  return box;
}

const pathOf = ({ path }, base) => [...base, ...path.map(name => (name === '*' ? brandLanguage() : name))];

function control(field, base) {
  const path = pathOf(field, base);
  const id = `f-${path.join('-')}`;
  const [label, help] = fieldWord(field.word);
  const value = valueAt(path);
  const described = `${id}-help ${id}-findings`;
  const optional = field.optional ? h('span', { class: 'optional' }, ` (${t('optional')})`) : undefined;
  const heading = h('label', { for: id }, label, optional);
  const parts = [
    h('p', { class: 'help', id: `${id}-help` }, help),
    h('ul', { class: 'findings', id: `${id}-findings` }),
  ];
  const common = { id, 'aria-describedby': described };
  const { is, of } = field.control;
  const read = READ[is] ?? (text => (text.trim() === '' ? undefined : text));
  const typed = event => put(path, read(event.target.value));
  if (is === 'check') {
    const box = h('input', {
      ...common,
      type: 'checkbox',
      checked: state.document.actions === undefined || value === true,
      onchange: event => offer(path, event.target.checked),
    });
    return h('div', { class: 'field check' }, box, heading, ...parts);
  }
  if (is === 'several')
    return several({ path, id, label, optional, parts, of, value: value ?? (of === 'proofs' ? [] : of) });
  let input;
  if (is === 'choice') {
    const options = of.length > 0 ? of.map(name => [name, choiceWord(name)]) : claimOptions();
    const known = options.some(([name]) => name === value);
    input = h(
      'select',
      { ...common, onchange: typed },
      h('option', { value: '' }, t('choose')),
      ...options.map(([name, word]) => h('option', { value: name, selected: name === value }, word)),
      value !== undefined && !known && h('option', { value, selected: true }, String(value)),
    );
  } else if (is === 'text') {
    input = h('textarea', { ...common, rows: 3, maxlength: field.most, oninput: typed, value: String(value ?? '') });
  } else if (is === 'date') {
    input = h('input', { ...common, type: 'date', oninput: typed, value: String(value ?? '').slice(0, 10) });
  } else {
    const shown = is === 'figure' ? shownFigure(value) : String(value ?? '');
    const placeholder = is === 'color' ? '#0a5f57' : undefined;
    const inputmode = is === 'count' ? 'numeric' : undefined;
    input = h('input', {
      ...common,
      type: 'text',
      maxlength: field.most,
      oninput: typed,
      value: shown,
      placeholder,
      inputmode,
    });
  }
  if (is === 'color') {
    const swatch = h('input', {
      type: 'color',
      'aria-label': label,
      value: /^#[\da-f]{6}$/i.test(value) ? value : '#888888',
    });
    swatch.addEventListener('input', () => {
      input.value = swatch.value;
      put(path, swatch.value);
    });
    return h('div', { class: 'field color' }, heading, h('div', { class: 'pair' }, input, swatch), ...parts);
  }
  return h('div', { class: 'field' }, heading, input, ...parts);
}

export const claimOptions = () =>
  (state.document.claims ?? []).map(claim => [
    String(claim?.claim_id ?? ''),
    String(claim?.statement ?? claim?.claim_id ?? '').slice(0, 90),
  ]);

/** Where nothing was decided, a profile offers both actions: the first decision writes down the other as well. */
function offer(path, offered) {
  if (state.document.actions === undefined)
    for (const name of ['request_diagnostic', 'apply_partner_program']) put(['actions', name, 'enabled'], true);
  put(path, offered);
}

/** Proofs, or fields of a form, to tick. */
function several({ path, id, label, optional, parts, of, value }) {
  const ticked = new Set(value);
  const rows =
    of === 'proofs'
      ? proofs().map(({ proof_id, title }) => [proof_id, title || proof_id])
      : of.map(name => [name, choiceWord(name)]);
  const options = rows.map(([name, text], at) => {
    const box = h('input', {
      type: 'checkbox',
      id: `${id}-${at}`,
      checked: ticked.has(name),
      onchange: event => {
        if (event.target.checked) ticked.add(name);
        else ticked.delete(name);
        put(path, [...ticked]);
      },
    });
    return h('div', { class: 'check' }, box, h('label', { for: `${id}-${at}` }, text));
  });
  const none = h('p', { class: 'help' }, t('none'));
  return h(
    'fieldset',
    { class: 'field', id, 'aria-describedby': `${id}-help` },
    h('legend', {}, label, optional),
    ...(options.length > 0 ? options : [none]),
    ...parts,
  );
}

/** The findings of a part: beside the field that they name, the others above the fields. */
export function showFindings(box) {
  const base = JSON.parse(box.dataset.base);
  const fields = state.fields[box.dataset.kind];
  const found = findingsUnder(base);
  const shown = new Set();
  for (const field of fields) {
    const path = pathOf(field, base);
    const id = `f-${path.join('-')}`;
    const own = found.filter(finding => touches(finding.path, path, base));
    for (const finding of own) shown.add(finding);
    const list = box.querySelector(`#${CSS.escape(`${id}-findings`)}`);
    list?.replaceChildren(...own.map(item));
    const input = box.querySelector(`#${CSS.escape(id)}`);
    if (input && input.tagName !== 'FIELDSET') {
      if (own.some(({ kind }) => kind === 'fault')) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
  }
  const others = base.length === 0 ? [] : found.filter(finding => !shown.has(finding));
  box.querySelector('.findings').replaceChildren(...others.map(item));
}

const begins = (path, with_) => with_.every((name, at) => path[at] === name);

/** A finding stands at its member and inside it; one of a missing object, at each of its fields. */
const touches = (finding, path, base) =>
  begins(finding, path) || (finding.length > base.length && begins(path, finding));

export function findingsUnder(base) {
  const group = /^(?:claims|proofs)$/.test(base[0]) ? base.slice(0, 2).join('/') : '';
  return (state.findings[group] ?? []).filter(({ path }) => begins(path, base));
}

/** A finding as people read it. */
export const item = ({ kind, said }) =>
  h('li', { class: kind }, h('strong', {}, `${t(kind)}: `), h('span', {}, said[state.lang]));
