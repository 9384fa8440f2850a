import {
  alertOf,
  brandLanguage,
  call,
  choiceWord,
  fieldWord,
  guarded,
  h,
  hrefOf,
  keyOf,
  positionOf,
  proofs,
  say,
  state,
  t,
  valueAt,
} from './page.js';

/** How long a hand rests before what it typed is saved. */
const REST_MS = 250;
/** After a failure that is not of the edit's making: a full disk, a file that an editor holds. */
const RETRY_MS = 2000;

/** Edits to be sent, in their order. */
let waiting = [];
let timer;
let turn = Promise.resolve();
const listeners = new Set();

/** Told after every change, with what the desk answered. */
export const onChange = listener => listeners.add(listener);

export const isWaiting = () => waiting.length > 0;

/** Answers of the desk are taken in the order of their calls: an older one never overwrites a newer one. */
export function inTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** Keeps a change for the next save; a later one of the same member takes its place, and what the page saw before both stays. */
export function change(edit, restMs = REST_MS) {
  const same = JSON.stringify([edit.do, edit.path]);
  const last = waiting.at(-1);
  if (last && edit.do === 'set' && same === JSON.stringify([last.do, last.path])) last.value = edit.value;
  else waiting.push(edit);
  say(t('saving'));
  clearTimeout(timer);
  timer = setTimeout(() => void save(), restMs);
}

/** Sends what waits. Gives the conflicts. */
export function save() {
  clearTimeout(timer);
  return inTurn(async () => {
    const edits = waiting.slice(0, 100);
    if (edits.length === 0) return [];
    waiting = waiting.slice(100);
    try {
      const answer = await call('edit', { version: state.version, edits });
      take(answer);
      say(t(answer.conflicts.length > 0 ? 'partly_saved' : 'saved'));
      return answer.conflicts;
    } catch (error) {
      alertOf(h('p', {}, t('unsaved', error.message)));
      say('');
      if (error.refused) return refused(edits);
      waiting = [...edits, ...waiting];
      timer = setTimeout(() => void save(), RETRY_MS);
      return [];
    }
  });
}

/** The page shows again what the file says; what was typed stands above it. */
async function refused(edits) {
  const conflicts = edits.map(edit => ({ edit, theirs: edit.was }));
  const fresh = await call('state').catch(() => ({ version: state.version }));
  take({ ...fresh, conflicts });
  return conflicts;
}

/** Makes an answer of the desk the state of the page. */
export function take(answer) {
  const before = state.document;
  if (answer.document) {
    state.document = answer.document;
    for (const edit of waiting) show(edit);
  }
  state.version = answer.version;
  state.canUndo = answer.canUndo ?? state.canUndo;
  if (!answer.partly) state.findings = answer.findings ?? state.findings;
  else
    for (const [group, list] of Object.entries(answer.findings)) {
      if (list.length === 0) delete state.findings[group];
      else state.findings[group] = list;
    }
  const conflicts = answer.conflicts ?? [];
  document.getElementById('conflicts').append(...conflicts.map(conflict => conflictOf(conflict, before)));
  if (conflicts.length === 0 && answer.merged) alertOf(h('p', {}, t('merged')));
  for (const listener of listeners) listener(answer);
}

/** Stays until the owner decides, wherever the page goes meanwhile. */
function conflictOf({ edit, theirs }, before) {
  const { path } = edit;
  const [list, key] = path;
  const ours = before[list]?.[typeof key === 'number' ? key : idsIn(before, list).indexOf(key)];
  const text = value => (typeof value === 'string' ? value : JSON.stringify(value));
  const close = () => box.remove();
  const useMine = guarded(async () => {
    close();
    const gone = /^(?:claims|proofs|questions)$/.test(list) && theirs === undefined && !isThere(path);
    const next = gone
      ? ours && { do: 'insert', path: [list, state.document[list]?.length ?? 0], value: ours }
      : { ...edit, ...(edit.do === 'set' && { was: theirs }) };
    if (!next) return;
    change(next, 0);
    await save();
    take(await inTurn(() => call('state')));
  });
  const box = h(
    'div',
    { class: 'conflict' },
    h('p', {}, t('conflict', path.join(' / '))),
    edit.value !== undefined && h('p', {}, `${t('yours')}: `, h('ins', {}, text(edit.value))),
    theirs !== undefined && h('p', {}, `${t('theirs')}: `, h('span', {}, text(theirs))),
    h(
      'div',
      { class: 'row' },
      h('button', { onclick: useMine }, t('use_mine')),
      h('button', { onclick: close }, t('use_theirs')),
    ),
  );
  return box;
}

const idsIn = (document, list) => (document[list] ?? []).map(entry => entry?.claim_id ?? entry?.proof_id);
const isThere = ([list, key]) => typeof key === 'string' && idsIn(state.document, list).includes(key);

/** An edit that gives the value at a path of positions another one; undefined takes it away. */
export function editOf(path, value) {
  const [list, at, ...member] = path;
  if (!/^(?:claims|proofs|questions)$/.test(list) || at === undefined)
    return { do: 'set', path, was: valueAt(path), value };
  const key = keyOf(list, at);
  if (typeof key === 'string' || member.length === 0)
    return { do: 'set', path: [list, key, ...member], was: valueAt(path), value };
  // Without an id of its own an entry is known by all that it says.
  const was = valueAt([list, at]);
  return { do: 'set', path: [list, at], was, value: withValue(was, member, value) };
}

/** A part with another value at a path; what a removal leaves empty goes too, as in the file. */
function withValue(part, [first, ...rest], value) {
  if (first === undefined) return value;
  const next = Array.isArray(part ?? (typeof first === 'number' ? [] : {})) ? [...(part ?? [])] : { ...part };
  const made = withValue(next[first], rest, value);
  const emptied = value === undefined && made !== null && typeof made === 'object' && Object.keys(made).length === 0;
  const goes = made === undefined || (emptied && !/^(?:actions|claims|proofs|questions)$/.test(first));
  if (goes && Array.isArray(next)) next.splice(first, 1);
  else if (goes) delete next[first];
  else next[first] = made;
  return next;
}

/** Shows an edit in the state before it is in the file. */
function show({ do: verb, path: [name, key, ...member], was, value }) {
  if (verb !== 'set') return;
  const list = state.document[name];
  if (!/^(?:claims|proofs|questions)$/.test(name)) {
    state.document = withValue(
      state.document,
      [name, key, ...member].filter(part => part !== undefined),
      value,
    );
    return;
  }
  const said = JSON.stringify(was);
  const at = typeof key === 'string' ? positionOf(name, key) : list?.findIndex(entry => JSON.stringify(entry) === said);
  if (at === undefined || at < 0) return;
  const made = withValue(list[at], member, value);
  state.document = { ...state.document, [name]: list.toSpliced(at, 1, ...(made === undefined ? [] : [made])) };
}

/** Puts a value into the state at once, and into the file when the hand rests. */
export function put(path, value, restMs) {
  const edit = editOf(path, value);
  show(edit);
  change(edit, restMs);
  const [list, at, member] = path;
  // The address follows an id that is typed.
  if (member === 'claim_id' || member === 'proof_id') history.replaceState(null, '', hrefOf(list, at));
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
  if (base[0] === 'actions') box.append(h('p', { class: 'help words-note', role: 'status' }));
  box.dataset.base = JSON.stringify(base);
  box.dataset.kind = kind;
  showFindings(box);
  if (base[0] === 'actions') showOffer(box, base[1]);
  return box;
}

/** Words that are typed and not whole yet, by their place: an action is offered, and its words are saved, all four at once. */
const drafts = new Map();

const wordsPath = name => ['actions', name, 'words', brandLanguage()];
const wordsOf = path => drafts.get(path.slice(0, 4).join()) ?? valueAt(path.slice(0, 4)) ?? {};
const valueIn = (value, path) => path.reduce((part, name) => part?.[name], value);
const isSaid = text => typeof text === 'string' && text.trim() !== '';

const isWhole = ({ title, purpose, context, thanks, levels }) =>
  [title, purpose, context, thanks].every(isSaid) &&
  context.trim().length >= 10 &&
  (levels === undefined || levels.every(isSaid));

/** Where nothing was decided, a profile offers both actions. */
const isOffered = name => state.document.actions === undefined || valueAt(['actions', name, 'enabled']) === true;

/** Keeps a word of an action; the file gets them when they are whole, and the action is offered. */
function write(path, text) {
  const name = path[1];
  const place = wordsPath(name);
  const words = { ...wordsOf(place), [path[4]]: text };
  if (path[4] === 'levels') {
    const old = wordsOf(place).levels ?? [];
    words.levels = [0, 1, 2, 3].map(level => (level === path[5] ? text : old[level]) ?? '');
    if (!words.levels.some(isSaid)) delete words.levels;
  }
  drafts.set(place.join(), words);
  if (isOffered(name) && isWhole(words)) {
    drafts.delete(place.join());
    put(place, words);
  }
  showOffer(document.getElementById(`f-actions-${name}-enabled`).form, name);
}

/** Offers an action in the words that were written, or no longer. */
function offer(name, offered) {
  const place = wordsPath(name);
  const words = wordsOf(place);
  // The first decision writes down the other action as well.
  if (state.document.actions === undefined)
    for (const other of ['request_diagnostic', 'apply_partner_program']) put(['actions', other, 'enabled'], true, 0);
  const { words: others, ...action } = valueAt(['actions', name]) ?? {};
  const { [place[3]]: _, ...elsewhere } = others ?? {};
  // Half of the words would be a fault, even of an action that nobody is offered: they stay on the page.
  const kept = [words, valueAt(place)].find(written => written && isWhole(written));
  const all = kept ? { ...elsewhere, [place[3]]: kept } : elsewhere;
  if (isWhole(words)) drafts.delete(place.join());
  else drafts.set(place.join(), words);
  put(['actions', name], { ...action, enabled: offered, ...(Object.keys(all).length > 0 && { words: all }) }, 0);
  showOffer(document.getElementById(`f-actions-${name}-enabled`).form, name);
}

/** What can be done with an action now: its words come first, the rest when it is offered. */
function showOffer(box, name) {
  const place = wordsPath(name);
  const [offered, whole] = [isOffered(name), isWhole(wordsOf(place))];
  const find = id => box.querySelector(`#${CSS.escape(`f-actions-${name}-${id}`)}`);
  find('enabled').disabled = !offered && !whole;
  for (const id of ['reply_hours', 'fields']) find(id).closest('.field').hidden = !offered;
  const usual = offered && valueAt(place) === undefined ? 'usual_words' : '';
  const note = whole ? '' : drafts.has(place.join()) && offered ? 'words_unsaved' : usual || 'words_first';
  box.querySelector('.words-note').textContent = note && t(note);
}

const pathOf = ({ path }, base) => [...base, ...path.map(name => (name === '*' ? brandLanguage() : name))];

function control(field, base) {
  const path = pathOf(field, base);
  const id = `f-${path.join('-')}`;
  const [label, help] = fieldWord(field.word);
  const isWord = path[2] === 'words';
  const value = isWord ? valueIn(wordsOf(path), path.slice(4)) : valueAt(path);
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
  const typed = event => (isWord ? write : put)(path, read(event.target.value));
  if (is === 'check') {
    const box = h('input', {
      ...common,
      type: 'checkbox',
      checked: isOffered(path[1]),
      disabled: !isOffered(path[1]) && !isWhole(wordsOf(wordsPath(path[1]))),
      onchange: event => offer(path[1], event.target.checked),
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
