/** What every part of the page shares: the state, the words, elements and calls. */
export const state = {
  document: {},
  findings: {},
  fields: {},
  words: {},
  lang: 'en',
  version: '',
  canUndo: false,
};

/** A sentence of the studio, with `{}` filled in. */
export function t(word, ...values) {
  let next = 0;
  return (state.words[state.lang]?.ui[word] ?? word).replaceAll('{}', () => String(values[next++] ?? ''));
}

export const choiceWord = name => state.words[state.lang].choices[name] ?? name;
export const fieldWord = name => state.words[state.lang].fields[name] ?? [name, ''];

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

/** The printed address carries it behind `#`, which no server sees; storage belongs to this port alone. */
const given = /^#token=(.+)$/.exec(location.hash)?.[1];
if (given) {
  localStorage.setItem('aval-studio', given);
  history.replaceState(null, '', location.pathname + location.search);
}
const authorization = `Bearer ${localStorage.getItem('aval-studio') ?? ''}`;

/** Has the desk do something. Ends with an Error in words where it does not; `refused` where asking again is no use. */
export async function call(name, body = {}) {
  let response;
  try {
    response = await fetch(`/api/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error(t('lost'));
  }
  if (response.status === 403) throw new Error(t('lost'));
  const answer = await response.json();
  if (!response.ok) {
    const message = (state.lang === 'es' && answer.es) || answer.error;
    throw Object.assign(new Error(message), { refused: response.status === 400 });
  }
  return answer;
}

export function say(text) {
  document.getElementById('status').textContent = text;
}

export function alertOf(...children) {
  document.getElementById('alerts').replaceChildren(...children);
}

/** Does something for a button, and says what went wrong. */
export const guarded = work => async event => {
  event?.preventDefault();
  try {
    await work(event);
  } catch (error) {
    alertOf(h('p', {}, t('unsaved', error.message)));
  }
};

export const claims = () => state.document.claims ?? [];
export const proofs = () => state.document.proofs ?? [];
export const brandLanguage = () => state.document.language ?? 'es';

/** The value at a path of the document. */
export const valueAt = path => path.reduce((value, name) => value?.[name], state.document);

export const statementOf = id => claims().find(claim => claim?.claim_id === id)?.statement ?? id;

const ID = { claims: 'claim_id', proofs: 'proof_id' };

/** What names an entry of a list: its id where no other has it, else its position. */
export function keyOf(list, at) {
  const entries = state.document[list] ?? [];
  const id = entries[at]?.[ID[list]];
  const isItsOwn = typeof id === 'string' && id !== '' && id.length <= 200 && id !== '__proto__';
  return isItsOwn && entries.filter(entry => entry?.[ID[list]] === id).length === 1 ? id : at;
}

/** Where the entry of a key is now; undefined where it is gone. */
export function positionOf(list, key) {
  const entries = state.document[list] ?? [];
  const at = entries.findIndex(entry => key !== '' && entry?.[ID[list]] === key);
  if (at >= 0) return at;
  return /^\d+$/.test(key) && Number(key) < entries.length ? Number(key) : undefined;
}

/** Address of the form of an entry: its id leads there, wherever it stands by then. */
export const hrefOf = (list, at) => `#${list}/${encodeURIComponent(keyOf(list, at))}`;

/** Link to the form of a claim, by its id. */
export function claimLink(id) {
  const at = claims().findIndex(claim => claim?.claim_id === id);
  return at < 0 ? h('span', {}, id || t('nothing')) : h('a', { href: hrefOf('claims', at) }, statementOf(id));
}
