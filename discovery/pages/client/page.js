import { elements, enliven, fieldOf, fieldsOf, parsePage, setBusy, setFault } from './lively.js';

/**
 * What a page does where a browser runs scripts: the page of an answer takes the place of the one that asked, with its address
 * and title; a form goes once; claims are filtered as one types. The server draws the same pages without.
 */
const answered = new Map();
let turn = 0;
let here = location.pathname + location.search;

/**
 * @param {string} url
 * @param {boolean} isNew whether it becomes an entry of the history
 */
async function show(url, isNew) {
  turn += 1;
  const mine = turn;
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById('ask'));
  const question = fieldOf(form, 'q')?.value;
  if (form) setBusy(form, form.dataset.busy);
  const text = answered.get(url) ?? (await read(url));
  if (mine !== turn) return;
  const page = parsePage(text ?? '');
  if (!page.querySelector('main')) {
    if (!form) return location.assign(url);
    setBusy(form);
    return setFault(form, text === undefined ? form.dataset.offline : form.dataset.unavailable);
  }
  if (isNew) history.pushState(null, '', url);
  here = location.pathname + location.search;
  document.title = page.title;
  document.documentElement.lang = page.documentElement.lang;
  for (const part of ['header', 'main', 'footer']) document.querySelector(part).replaceWith(page.querySelector(part));
  keepQuestion(question);
  enliven(document);
  if (isNew) moveTo(document.querySelector('#answer h1') ?? document.querySelector('h1'));
}

/** @param {string} url */
async function read(url) {
  try {
    const response = await fetch(url, { headers: { accept: 'text/html' } });
    const text = await response.text();
    if (response.ok) answered.set(url, text);
    return text;
  } catch {
    return undefined;
  }
}

/**
 * A refusal draws an empty box: what was typed goes back into it.
 * @param {string | undefined} question
 */
function keepQuestion(question) {
  const box = /** @type {HTMLTextAreaElement | null} */ (document.querySelector('#q'));
  if (box?.value === '' && document.querySelector('[role=alert]')) box.value = question ?? '';
}

/** @param {HTMLElement} heading */
function moveTo(heading) {
  scrollTo({ top: 0, behavior: 'instant' });
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

document.addEventListener('submit', event => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id === 'ask') {
    event.preventDefault();
    show(`${form.action}?${fieldsOf(new FormData(form))}`, true);
  } else if (form.method === 'post') {
    const key = fieldOf(form, '_key');
    if (key && !key.value) key.value = crypto.randomUUID?.() ?? String(Math.random());
    setTimeout(() => setBusy(form, form.dataset.busy));
  }
});

document.addEventListener('click', event => {
  const link = /** @type {Element} */ (event.target).closest('a');
  if (link?.dataset.ask === undefined || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  show(link.href, true);
});

addEventListener('popstate', () => {
  if (here !== location.pathname + location.search) show(location.href, false);
});

addEventListener('pageshow', event => {
  if (!event.persisted) return;
  for (const button of elements(document, 'button[data-text]')) setBusy(button.closest('form'));
});

/** @param {string} text */
const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

document.addEventListener('input', event => {
  const filter = /** @type {HTMLInputElement} */ (event.target);
  if (filter.id !== 'filter') return;
  const words = fold(filter.value).split(/\s+/);
  for (const claim of elements(document, '.claim')) {
    const text = fold(claim.textContent);
    claim.hidden = !words.every(word => text.includes(word));
  }
  for (const group of elements(document, '.group')) group.hidden = !group.querySelector('.claim:not([hidden])');
});

enliven(document);
