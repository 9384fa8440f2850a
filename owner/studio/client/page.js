/** What every part of the page shares: the state, the words, elements and calls. */
export const state = { document: {}, findings: {}, fields: {}, words: {}, lang: 'en', version: '' };

const spanish = () => (state.lang === 'es' ? 1 : 0);

/** A sentence of the studio, with `{}` filled in; the name itself where there is none. */
export function t(word, ...values) {
  let next = 0;
  return (state.words[word]?.[spanish()] ?? word).replaceAll('{}', () => String(values[next++] ?? ''));
}

/** Label and help of a field. */
export const fieldWords = ({ words }) => [words[spanish()], words[2 + spanish()] ?? ''];

/** The first field of a part with a member in it. */
export function fieldOf(kind, member) {
  const names = member.filter(name => typeof name === 'string');
  const fits = ({ path }) => {
    const own = path.filter(part => typeof part === 'string');
    return names.every((name, at) => own[at] === name || own[at] === '*');
  };
  return names.length > 0 ? state.fields[kind]?.find(fits) : undefined;
}

/** The label of a member of a part, of the first field in it; its name where it has none, and nothing for the part itself. */
export function labelOf(kind, member) {
  const field = fieldOf(kind, member);
  return field ? fieldWords(field)[0] : t(member.filter(name => typeof name === 'string').join('.'));
}

/** The day of a date and time, in words; empty for anything else. */
export const dayOf = text =>
  /^\d{4}-\d\d-\d\dT/.test(text)
    ? new Date(text).toLocaleDateString(state.lang, { dateStyle: 'long', timeZone: 'UTC' })
    : '';

/** A place of the document as its owner knows it: the first words of the part, and the label of the field. */
export function placeOf([name, key, ...member]) {
  const kind = { claims: 'claim', proofs: 'proof', questions: 'question', actions: key }[name];
  if (!kind || key === undefined) return labelOf('brand', [name, key, ...member]) || t('brand');
  const at = typeof key === 'string' && ID[name] ? positionOf(name, key) : key;
  const part = name === 'actions' ? t(key) : short(titleOf(entries(name)[at] ?? { claim_id: t(kind) }));
  return [part, labelOf(kind, member)].filter(Boolean).join(' › ');
}

/** An element. Texts become text nodes, so nothing that a profile says is ever read as HTML. */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'value' || key === 'checked') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat().filter(child => child !== undefined && child !== false));
  return element;
}

const counted = number => number.toLocaleString(state.lang, { useGrouping: true });

/** How much too long a text is, in words; empty where it is not. Nothing is cut. */
export const overWords = ({ length }, most = Infinity) =>
  length > most ? t('over', counted(length - most), counted(most)) : '';

export const p = (...children) => h('p', {}, ...children);
export const help = (...children) => h('p', { class: 'help' }, ...children);
export const li = (...children) => h('li', {}, ...children);
export const row = (...children) => h('div', { class: 'row' }, ...children);
export const list = (name, items) => h('ul', { class: name }, ...items);

/** A button; what goes wrong with its work is said. @param word with what fills its gaps, where it has some */
export const button = (word, work, attributes = {}) =>
  h('button', { type: 'button', onclick: guarded(work), ...attributes }, t(...[word].flat()));

/** A control under its label. */
export const labelled = (word, control, ...below) =>
  h('div', { class: 'field' }, h('label', { for: control.id }, t(word)), control, ...below);

/** A box to tick, before its label. */
export function tick(attributes, label) {
  const box = h('input', { type: 'checkbox', ...attributes });
  return h('div', { class: 'check' }, box, h('label', { for: box.id }, label));
}

/** A line under a field for what is wrong with what is being typed. */
export const noteOf = (id, text = '') =>
  h('p', { class: 'note', id: `${id}-note`, 'aria-live': 'polite' }, text);

/** A field for a question, under its label, and what gives the question: nothing where it is too long, which a note tells. */
export function questionField(input) {
  const note = noteOf(input.id);
  input.setAttribute('aria-describedby', note.id);
  input.addEventListener('input', () => {
    note.textContent = overWords(input.value, MAX_QUESTION);
  });
  return [labelled('ask_label', input, note), () => (note.textContent === '' ? input.value.trim() : '')];
}

/** What a server takes as a question. */
const MAX_QUESTION = 2000;

/** The printed address carries it behind `#`, which no server sees; storage belongs to this port alone. */
const given = /^#token=(.+)$/.exec(location.hash)?.[1];
if (given) {
  localStorage.setItem('aval-studio', given);
  history.replaceState(null, '', location.pathname + location.search);
}
const authorization = `Bearer ${localStorage.getItem('aval-studio') ?? ''}`;

/** Has the desk do something. Ends with an Error in words where it does not; `refused` where asking again is no use. */
export async function call(name, body = {}) {
  const headers = { 'content-type': 'application/json', authorization };
  const response = await fetch(`/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
    () => {},
  );
  if (!response || response.status === 403) throw new Error(t('lost'));
  const answer = await response.json();
  if (response.ok) return answer;
  throw Object.assign(new Error((state.lang === 'es' && answer.es) || answer.error), {
    refused: response.status === 400,
  });
}

export function say(text) {
  document.getElementById('status').textContent = text;
}

export function alertOf(text) {
  document.getElementById('alerts').replaceChildren(...(text ? [h('p', {}, text)] : []));
}

/** Does something for a control, and says what went wrong. */
export const guarded = work => async event => {
  event?.preventDefault();
  try {
    await work(event);
  } catch (error) {
    alertOf(t('unsaved', error.message));
  }
};

/** A box that is filled when the desk has answered. */
export function filled(show) {
  const box = h('div', { 'aria-live': 'polite' });
  guarded(async () => box.replaceChildren(...(await show(box))))();
  return box;
}

/** What is to mend or to look at in a part, `claims/3`, or in the rest. */
export const findingsOf = group => state.findings[group] ?? [];

export const entries = name => state.document[name] ?? [];
export const brandLanguage = () => state.document.language ?? 'es';

/** The value at a path of the document. */
export const valueAt = path => path.reduce((value, name) => value?.[name], state.document);

export const ID = { claims: 'claim_id', proofs: 'proof_id' };

/** What names an entry of a list: its id where no other has it, else its position. */
export function keyOf(name, at) {
  const id = entries(name)[at]?.[ID[name]];
  const isItsOwn = typeof id === 'string' && id !== '' && id.length <= 200 && id !== '__proto__';
  return isItsOwn && entries(name).filter(entry => entry?.[ID[name]] === id).length === 1 ? id : at;
}

/** Where the entry of a key is now; undefined where it is gone. */
export function positionOf(name, key) {
  const at = entries(name).findIndex(entry => key !== '' && entry?.[ID[name]] === key);
  if (at >= 0) return at;
  return /^\d+$/.test(key) && Number(key) < entries(name).length ? Number(key) : undefined;
}

/** Address of the form of an entry: its id leads there, wherever it stands by then. */
export const hrefOf = (name, at) => `#${name}/${encodeURIComponent(keyOf(name, at))}`;

export const titleOf = entry =>
  String(entry?.statement || entry?.title || entry?.text || entry?.claim_id || entry?.proof_id || '…');

/** The first whole words of a long text. */
export const short = (text, most = 60) =>
  text.length > most ? `${text.slice(0, most).replace(/[\s.,;:]+\S*$/, '')}…` : text;

/** Link to the form of a claim, by its id. */
export function claimLink(id) {
  const at = entries('claims').findIndex(claim => claim?.claim_id === id);
  return at < 0
    ? h('span', {}, id || t('nothing'))
    : h('a', { href: hrefOf('claims', at) }, titleOf(entries('claims')[at]));
}
