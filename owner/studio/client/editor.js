import {
  alertOf,
  brandLanguage,
  button,
  call,
  entries,
  fieldWords,
  findingsOf,
  h,
  help,
  hrefOf,
  ID,
  keyOf,
  list,
  noteOf,
  overWords,
  p,
  placeOf,
  positionOf,
  row,
  say,
  short,
  state,
  t,
  tick,
  titleOf,
  valueAt,
} from './page.js';

/** How long a hand rests before what it typed is saved. */
const REST_MS = 250;
/** After a failure that is not of the edit's making: a full disk, a file that an editor holds. */
const RETRY_MS = 2000;

/** Edits to be sent, in their order, and saved ones as what takes them back. */
let waiting = [];
const past = [];
let timer;
let turn = Promise.resolve();
let told = () => {};

/** Is told after every answer; `stale` where the page shows something else than the file by now. */
export const onChange = listener => {
  told = listener;
};
export const isWaiting = () => waiting.length > 0;
export const canUndo = () => past.length > 0;

/** Answers of the desk are taken in the order of their calls: an older one never overwrites a newer one. */
export function inTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => {});
  return done;
}

/** Sends what waits. Gives the conflicts. */
export function save(keep = true) {
  clearTimeout(timer);
  return inTurn(async () => {
    const edits = waiting.splice(0, 1000);
    if (edits.length === 0) return [];
    try {
      const answer = await call('edit', { version: state.version, edits });
      const refused = answer.conflicts.map(({ edit }) => JSON.stringify(edit));
      const made = edits.filter(edit => !refused.includes(JSON.stringify(edit)));
      if (keep && made.length > 0) past.push(made.map(inverse).reverse());
      take(answer);
      say(refused.length > 0 ? t('conflict', placeOf(answer.conflicts[0].edit.path)) : t('saved'));
      return answer.conflicts;
    } catch (error) {
      alertOf(t('unsaved', error.message));
      say('');
      if (!error.refused) {
        waiting = [...edits, ...waiting];
        timer = setTimeout(() => void save(), RETRY_MS);
        return [];
      }
      // The page shows again what the file says; what was typed stands above it.
      const conflicts = edits.map(edit => ({ edit, theirs: edit.was, word: 'refused' }));
      take({ ...(await call('state').catch(() => ({ version: state.version }))), conflicts });
      return conflicts;
    }
  });
}

/** What takes an edit back. */
function inverse({ path, was, value, at }) {
  const [name, , member] = path;
  return {
    path:
      member !== undefined && member === ID[name] && typeof value === 'string' ? [name, value, member] : path,
    was: value,
    value: was,
    at,
  };
}

export async function undo() {
  await save();
  const back = past.pop() ?? [];
  waiting.push(...back);
  // The address follows an id that gets its old name.
  for (const {
    path: [name, , member],
    was,
    value,
  } of back)
    if (
      member !== undefined &&
      member === ID[name] &&
      location.hash === `#${name}/${encodeURIComponent(was)}`
    )
      history.replaceState(null, '', `#${name}/${encodeURIComponent(value)}`);
  await save(false);
  take(await inTurn(() => call('state')));
}

/** Makes an answer of the desk the state of the page. */
export function take({ document: fresh, version, findings, conflicts = [], merged }, anew = false) {
  const before = JSON.stringify(state.document);
  if (fresh) state.document = fresh;
  for (const { path, value } of fresh ? waiting : []) show(path, value);
  state.version = version;
  if (findings) state.findings = Object.groupBy(findings, ({ group }) => group);
  document.getElementById('conflicts').append(...conflicts.map(conflictOf));
  if (merged && conflicts.length === 0) alertOf(t('merged'));
  told(anew || JSON.stringify(state.document) !== before);
}

/** Stays until the owner decides, wherever the page goes meanwhile. */
function conflictOf({ edit, theirs, word = 'conflict' }) {
  const text = value => (typeof value === 'string' ? value : JSON.stringify(value));
  const useMine = async () => {
    box.remove();
    waiting.push({ ...edit, was: theirs });
    await save();
    take(await inTurn(() => call('state')));
  };
  const box = h(
    'div',
    { class: 'conflict' },
    p(t(word, placeOf(edit.path))),
    edit.value !== undefined && p(`${t('yours')}: ${text(edit.value)}`),
    theirs !== undefined && p(`${t('theirs')}: ${text(theirs)}`),
    row(
      button('use_mine', useMine),
      button('use_theirs', () => box.remove()),
    ),
  );
  return box;
}

const isListed = ([name, key]) => /^(?:claims|proofs|questions)$/.test(name) && key !== undefined;

/** Shows an edit in the state before it is in the file. */
function show(path, value) {
  const at = isListed(path) && typeof path[1] === 'string' ? positionOf(...path) : path[1];
  if (path.length > 1 && at === undefined) return;
  state.document = withValue(state.document, path.length > 1 ? path.with(1, at) : path, value);
}

/** A part with another value at a path; what a removal leaves empty goes too, as in the file. */
function withValue(part, [first, ...rest], value) {
  if (first === undefined) return value;
  const next = Array.isArray(part ?? (typeof first === 'number' ? [] : {})) ? [...(part ?? [])] : { ...part };
  const made = withValue(next[first], rest, value);
  const emptied =
    value === undefined && made !== null && typeof made === 'object' && Object.keys(made).length === 0;
  const goes = made === undefined || (emptied && !/^(?:actions|claims|proofs|questions)$/.test(first));
  if (goes && Array.isArray(next)) next.splice(first, 1);
  else if (goes) delete next[first];
  else next[first] = made;
  return next;
}

/** Gives the value at a path of positions another one, in the state at once and in the file when the hand rests. */
export function put(path, value) {
  const [name, at, ...member] = path;
  const key = isListed(path) ? keyOf(name, at) : undefined;
  // Without an id of its own an entry is known by all that it says.
  const isWhole = typeof key === 'number';
  const place = isWhole ? [name, at] : key === undefined ? path : path.with(1, key);
  const was = valueAt(isWhole ? place : path);
  const edit = {
    path: place,
    was,
    value: isWhole ? withValue(was, member, value) : value,
    at: isWhole ? at : undefined,
  };
  // A later change of the same member takes the place of an earlier one, and what the page saw before both stays.
  const last = waiting.at(-1);
  if (last && JSON.stringify(place) === JSON.stringify(last.path)) last.value = edit.value;
  else waiting.push(edit);
  say(t('saving'));
  clearTimeout(timer);
  timer = setTimeout(() => void save(), REST_MS);
  state.document = withValue(state.document, path, value);
  // The address follows an id that is typed.
  if (member[0] !== undefined && member[0] === ID[name]) history.replaceState(null, '', hrefOf(name, at));
}

/** Does edits at once; the page follows when they are saved. Gives the conflicts. */
export async function edited(...edits) {
  waiting.push(...edits);
  const conflicts = await save();
  take(await inTurn(() => call('state')), true);
  return conflicts;
}

/** Why an id is not saved: it is empty, or another claim or proof has it. */
function idRefusal([list, at, member], value) {
  if (member === undefined || member !== ID[list]) return undefined;
  if (value === undefined) return t('no_id');
  return entries(list).some((entry, other) => other !== at && entry?.[member] === value)
    ? t('taken')
    : undefined;
}

/** A number as people of the profile's language write it; any other text stays a text. */
function figureOf(text) {
  const [thousands, decimal] = /^en\b/i.test(brandLanguage()) ? [',', '.'] : ['.', ','];
  const grouped = new RegExp(`^-?\\d{1,3}(?:\\${thousands}\\d{3})+(?:\\${decimal}\\d+)?$`).test(text);
  const number = (grouped ? text.replaceAll(thousands, '') : text).replace(',', '.');
  return /^-?\d{1,12}(?:\.\d{1,6})?$/.test(number) ? Number(number) : text;
}

/** What a control shows of a value, and what is read from it. */
const shown = {
  date: value => String(value ?? '').slice(0, 10),
  figure: value =>
    typeof value === 'number' && !/^en\b/i.test(brandLanguage())
      ? String(value).replace('.', ',')
      : String(value ?? ''),
};
const read = {
  figure: text => (text === '' ? undefined : figureOf(text)),
  count: text => (/^\d+$/.test(text) ? Number(text) : text || undefined),
  date: text => (text ? `${text}T23:59:59Z` : undefined),
};

const pathOf = ({ path }, base) => [...base, ...path.map(name => (name === '*' ? brandLanguage() : name))];
const idOf = path => `f-${path.join('-')}`;

/** The form of one part: its fields, each with what is to mend beside it. @param write saves each change */
export function form(kind, base, write = put) {
  const controls = state.fields[kind].map(field => control(field, pathOf(field, base), write));
  const box = h(
    'form',
    { class: 'part', onsubmit: event => event.preventDefault() },
    list('findings', []),
    ...controls,
  );
  Object.assign(box.dataset, { base: JSON.stringify(base), kind });
  showFindings(box);
  return box;
}

function control(field, path, write) {
  const { is, of = [], most, optional } = field;
  const [id, [label, hint], value] = [idOf(path), fieldWords(field), valueAt(path)];
  const heading = [label, optional && h('span', { class: 'optional' }, ` (${t('optional')})`)];
  const below = [
    h('p', { class: 'help', id: `${id}-help` }, hint),
    h('ul', { class: 'findings', id: `${id}-findings` }),
  ];
  const about = { id, 'aria-describedby': `${id}-note ${id}-help ${id}-findings` };
  if (is === 'several' || is === 'proofs') {
    const proofs = () => entries('proofs').map(proof => [proof?.proof_id, titleOf(proof)]);
    const rows = is === 'proofs' ? proofs() : of.map(name => [name, t(name)]);
    const ticks = several({ id, rows, ticked: new Set(value ?? of), write: names => write(path, names) });
    return h('fieldset', { class: 'field', ...about }, h('legend', {}, ...heading), ...ticks, ...below);
  }
  const text = (shown[is] ?? String)(value ?? '');
  const note = noteOf(id, overWords(text, most));
  const typed = ({ target }) => {
    const next = (read[is] ?? (text => (text.trim() === '' ? undefined : text)))(target.value);
    const refusal = idRefusal(path, next);
    note.textContent = refusal ?? overWords(target.value, most);
    if (refusal) target.setAttribute('aria-invalid', 'true');
    else write(path, next);
  };
  const line = { ...about, oninput: typed, value: text };
  const options = is === 'claim' ? claimOptions() : of.map(name => [name, t(name)]);
  const input =
    is === 'choice' || is === 'claim'
      ? choice(about, typed, options, value)
      : is === 'text'
        ? h('textarea', { ...line, rows: 3 })
        : h('input', {
            ...line,
            type: is === 'date' ? 'date' : 'text',
            inputmode: is === 'count' ? 'numeric' : undefined,
          });
  const color = () => {
    input.value = swatch.value;
    write(path, swatch.value);
  };
  const shownColor = /^#[\da-f]{6}$/i.test(value) ? value : '#888888';
  const swatch =
    is === 'color' && h('input', { type: 'color', 'aria-label': label, value: shownColor, oninput: color });
  const pair = h('div', { class: 'pair' }, input, swatch);
  return h('div', { class: 'field' }, h('label', { for: id }, ...heading), pair, note, ...below);
}

/** A list to choose from; a value that is none of it is shown as well. */
export function choice(attributes, onchange, options, value) {
  const all =
    value === undefined || options.some(([name]) => name === value)
      ? options
      : [...options, [value, String(value)]];
  const rows = all.map(([name, word]) => h('option', { value: name, selected: name === value }, word));
  return h('select', { ...attributes, onchange }, h('option', { value: '' }, t('choose')), ...rows);
}

export const claimOptions = () =>
  entries('claims').map(claim => [String(claim?.claim_id ?? ''), short(titleOf(claim), 90)]);

/** Proofs, or fields of a form, to tick. */
function several({ id, rows, ticked, write }) {
  if (rows.length === 0) return [help(t('none'))];
  return rows.map(([name, text], at) => {
    const onchange = ({ target }) => {
      if (target.checked) ticked.add(name);
      else ticked.delete(name);
      write([...ticked]);
    };
    return tick({ id: `${id}-${at}`, checked: ticked.has(name), onchange }, text);
  });
}

const begins = (path, start) => start.every((name, at) => path[at] === name);

/** The findings of a part: beside the field that they name, the others above the fields. */
export function showFindings(box) {
  const base = JSON.parse(box.dataset.base);
  const group = /^(?:claims|proofs)$/.test(base[0]) ? base.slice(0, 2).join('/') : '';
  const found = findingsOf(group).filter(({ path }) => begins(path, base));
  // The brand's form has no place for what other pages show.
  const rest = new Set(
    found.filter(({ path }) => base.length > 0 || !/^(?:actions|questions)$/.test(path[0])),
  );
  for (const field of state.fields[box.dataset.kind]) {
    const path = pathOf(field, base);
    // A finding stands at its member and inside it; one of a missing object, at each of its fields.
    const own = found.filter(
      ({ path: at }) => begins(at, path) || (at.length > base.length && begins(path, at)),
    );
    for (const finding of own) rest.delete(finding);
    box.querySelector(`#${CSS.escape(`${idOf(path)}-findings`)}`)?.replaceChildren(...own.map(item));
    const input = box.querySelector(`:is(input, textarea, select)#${CSS.escape(idOf(path))}`);
    const isNoted = Boolean(box.querySelector(`#${CSS.escape(idOf(path))}-note`)?.textContent);
    if (isNoted || own.some(({ kind }) => kind === 'fault')) input?.setAttribute('aria-invalid', 'true');
    else input?.removeAttribute('aria-invalid');
  }
  box.querySelector('.findings').replaceChildren(...[...rest].map(item));
}

/** A finding as people read it. */
export const item = ({ kind, said }) =>
  h('li', { class: kind }, h('strong', {}, `${t(kind)}: `), h('span', {}, said[state.lang]));
