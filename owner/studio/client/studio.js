import { change, editOf, form, inTurn, isWaiting, item, onChange, put, save, showFindings, take } from './editor.js';
import {
  alertOf,
  brandLanguage,
  call,
  choiceWord,
  claims,
  guarded,
  h,
  hrefOf,
  keyOf,
  positionOf,
  proofs,
  say,
  state,
  t,
} from './page.js';
import { askedPanel, askPanel, questionsPanel, signPanel } from './panels.js';

const main = document.getElementById('main');
const VIEWS = ['brand', 'claims', 'proofs', 'actions', 'ask', 'questions', 'asked', 'sign'];
const ACTIONS = ['request_diagnostic', 'apply_partner_program'];

const view = () => {
  const [name = '', ...rest] = location.hash.slice(1).split('/');
  return { name: VIEWS.includes(name) ? name : 'claims', rest: rest.join('/') };
};

function frame() {
  document.documentElement.lang = state.lang;
  const brand = Object.values(state.document.names?.[0] ?? {})[0] ?? '';
  document.title = `${t(view().name)} · ${brand || t('title')}`;
  document.getElementById('skip').textContent = t('skip');
  const other = state.lang === 'es' ? 'en' : 'es';
  document
    .getElementById('top')
    .replaceChildren(
      h('div', {}, h('p', { class: 'name' }, `${t('title')}: ${brand}`), h('p', { class: 'help' }, t('lead'))),
      h(
        'div',
        { class: 'row' },
        h('button', { id: 'undo', onclick: guarded(undo), disabled: !state.canUndo }, t('undo')),
        h('button', { lang: other, onclick: () => speak(other) }, t('language')),
      ),
    );
  const nav = document.getElementById('nav');
  nav.setAttribute('aria-label', t('title'));
  nav.replaceChildren(
    ...VIEWS.map(name =>
      h('a', { href: `#${name}`, 'aria-current': name === view().name ? 'page' : undefined }, t(name)),
    ),
  );
}

function speak(lang) {
  state.lang = lang;
  const url = new URL(location.href);
  url.searchParams.set('lang', lang);
  history.replaceState(null, '', url);
  render();
}

async function undo() {
  await save();
  take(await inTurn(() => call('undo')));
}

function render() {
  frame();
  const { name, rest } = view();
  main.dataset.view = name;
  main.toggleAttribute('data-detail', rest !== '' && /^(?:claims|proofs)$/.test(name));
  main.replaceChildren(h('h1', {}, t(name)), ...PANELS[name](rest));
}

const PANELS = {
  brand: () => [form('brand', []), ...generalFindings(), ...chips()],
  claims: rest => parts('claims', 'claim', rest),
  proofs: rest => parts('proofs', 'proof', rest),
  actions: () => ACTIONS.map(name => h('section', {}, h('h2', {}, choiceWord(name)), form(name, ['actions', name]))),
  ask: rest => askPanel(decodeURIComponent(rest)),
  questions: () => questionsPanel(),
  asked: () => askedPanel(),
  sign: () => signPanel(take),
};

/** What concerns the profile as a whole, and no field of the page. */
function generalFindings() {
  const shown = JSON.stringify(state.fields.brand.map(({ path }) => path[0]));
  const rest = (state.findings[''] ?? []).filter(
    ({ path }) => !shown.includes(`"${path[0]}"`) && path[0] !== 'actions' && path[0] !== 'questions',
  );
  return rest.length === 0 ? [] : [h('ul', { class: 'findings' }, ...rest.map(item))];
}

/** The questions that the brand's page suggests. */
function chips() {
  const list = state.document.questions ?? [];
  const add = guarded(() =>
    edited({ do: 'insert', path: ['questions', list.length], value: { text: '', claim_id: '' } }),
  );
  return [
    h('h2', {}, t('chips')),
    ...list.map((_, at) =>
      h(
        'section',
        { class: 'chip' },
        form('question', ['questions', at]),
        h('button', { onclick: guarded(() => edited(editOf(['questions', at], undefined))) }, t('remove')),
      ),
    ),
    h('button', { onclick: add }, t('add')),
  ];
}

/** An edit that changes what the page shows; the page follows when it is saved. Gives the conflicts. */
async function edited(edit) {
  change(edit, 0);
  return refreshed();
}

async function refreshed() {
  const conflicts = await save();
  take(await inTurn(() => call('state')));
  return conflicts;
}

/** A list with a filter, and the form of the one that is chosen. */
function parts(list, kind, rest) {
  const all = list === 'claims' ? claims() : proofs();
  const chosen = positionOf(list, decodeURIComponent(rest));
  const filter = h('input', {
    id: 'filter',
    type: 'search',
    value: filtered.text,
    oninput: event => narrow(event.target.value),
  });
  const open = h('input', {
    id: 'open',
    type: 'checkbox',
    checked: filtered.open,
    onchange: event => narrow(filter.value, event.target.checked),
  });
  const items = h('ul', { id: 'list' }, ...all.map((part, index) => row(list, part, index, index === chosen)));
  const counts = h('p', { class: 'help', id: 'counts' });
  const side = h(
    'section',
    { class: 'side', 'aria-label': t(list) },
    counts,
    h('div', { class: 'field' }, h('label', { for: 'filter' }, t('filter')), filter),
    h('div', { class: 'check' }, open, h('label', { for: 'open' }, t('open'))),
    h('button', { onclick: guarded(() => add(list)) }, t(`add_${kind}`)),
    items,
  );
  queueMicrotask(() => {
    narrow(filtered.text, filtered.open);
    count();
  });
  return [h('div', { class: 'split' }, side, chosen === undefined ? '' : detail(list, kind, chosen))];
}

const filtered = { text: '', open: false };

function narrow(text, open = filtered.open) {
  Object.assign(filtered, { text, open });
  const wanted = text.toLowerCase();
  for (const row of document.querySelectorAll('#list > li')) {
    const fits =
      (wanted === '' || row.textContent.toLowerCase().includes(wanted)) && (!open || row.dataset.state !== 'ok');
    row.hidden = !fits;
  }
}

const titleOf = (list, part) =>
  String((list === 'claims' ? part?.statement : part?.title) || part?.claim_id || part?.proof_id || '…');

const stateOf = group => {
  const found = state.findings[group] ?? [];
  return found.some(({ kind }) => kind === 'fault') ? 'fault' : found.length > 0 ? 'warning' : 'ok';
};

function row(list, part, at, current) {
  const mark = stateOf(`${list}/${at}`);
  return h(
    'li',
    { 'data-state': mark, 'data-group': `${list}/${at}` },
    h(
      'a',
      { href: hrefOf(list, at), 'aria-current': current ? 'true' : undefined },
      h('span', { class: 'mark' }, `${t(mark)}: `),
      h('span', { class: 'text' }, titleOf(list, part)),
    ),
  );
}

function count() {
  const groups = Object.values(state.findings);
  const of = kind => groups.flat().filter(finding => finding.kind === kind).length;
  const counts = document.getElementById('counts');
  if (counts) counts.textContent = t('counts', claims().length, of('fault'), of('warning'));
}

function detail(list, kind, at) {
  const part = state.document[list][at];
  const key = keyOf(list, at);
  const moveTo = to =>
    guarded(async () => {
      const conflicts = await edited({ do: 'move', path: [list, key], was: part, to });
      if (conflicts.length === 0 && typeof key === 'number') location.hash = `#${list}/${to}`;
    });
  const remove = guarded(async () => {
    const conflicts = await edited(editOf([list, positionOf(list, String(key))], undefined));
    if (conflicts.length > 0) return;
    location.hash = `#${list}`;
    say(t('removed'));
  });
  const last = state.document[list].length - 1;
  return h(
    'section',
    { class: 'detail', 'aria-labelledby': 'part' },
    h('p', { class: 'back' }, h('a', { href: `#${list}` }, `← ${t(list)}`)),
    h('h2', { id: 'part' }, titleOf(list, part)),
    form(kind, [list, at]),
    h(
      'div',
      { class: 'row' },
      ...(list === 'claims' && at > 0 ? [h('button', { onclick: guarded(() => like(at)) }, t('like'))] : []),
      h('button', { onclick: guarded(() => nextToMend(list, at)) }, t('next')),
      h('button', { disabled: at === 0, onclick: moveTo(at - 1) }, t('up')),
      h('button', { disabled: at === last, onclick: moveTo(at + 1) }, t('down')),
      h('button', { class: 'danger', onclick: remove }, t('remove')),
    ),
  );
}

/** What a claim says of its limits where the one above says it and this one does not yet. */
async function like(at) {
  const [above, own] = [claims()[at - 1], claims()[at]];
  for (const name of ['boundary', 'category', 'confidence'])
    if (above?.[name] !== undefined && own?.[name] === undefined) put(['claims', at, name], above[name], 0);
  await refreshed();
}

async function nextToMend(list, at) {
  await save();
  const all = state.document[list].map((_, index) => (at + 1 + index) % state.document[list].length);
  const next = all.find(index => stateOf(`${list}/${index}`) === 'fault');
  location.hash = next === undefined ? '#sign' : hrefOf(list, next);
}

async function add(list) {
  const all = list === 'claims' ? claims() : proofs();
  const [id, prefix] = list === 'claims' ? ['claim_id', 'clm'] : ['proof_id', 'prf'];
  const taken = new Set(all.map(part => part?.[id]));
  let number = all.length + 1;
  while (taken.has(`${prefix}-${number}`)) number += 1;
  const value = { [id]: `${prefix}-${number}`, ...(list === 'claims' && { proof_ids: [] }) };
  const conflicts = await edited({ do: 'insert', path: [list, all.length], value });
  if (conflicts.length === 0) location.hash = `#${list}/${value[id]}`;
}

/** After each save: the findings of the form, the marks of the list, and the whole page where the file was changed elsewhere. */
onChange(answer => {
  document.getElementById('undo').disabled = !state.canUndo;
  if (answer.document) return keepFocus(render);
  for (const box of document.querySelectorAll('form.part')) showFindings(box);
  for (const group of Object.keys(answer.findings ?? {})) {
    const row = document.querySelector(`#list > li[data-group="${group}"]`);
    if (!row) continue;
    row.dataset.state = stateOf(group);
    row.querySelector('.mark').textContent = `${t(stateOf(group))}: `;
  }
  count();
});

/** What is typed shows in the list and above the form at once. */
main.addEventListener('input', ({ target }) => {
  const [, list, at] = /^f-(claims|proofs)-(\d+)-(?:statement|title)$/.exec(target.id ?? '') ?? [];
  if (!list) return;
  const title = titleOf(list, state.document[list][Number(at)]);
  document.getElementById('part').textContent = title;
  const text = document.querySelector(`#list > li[data-group="${list}/${at}"] .text`);
  if (text) text.textContent = title;
});

function keepFocus(work) {
  const { id, selectionStart, selectionEnd } = document.activeElement ?? {};
  work();
  // The part that was being edited may stand at another place now.
  const [, list, at] = /^#(claims|proofs)\/(.+)$/.exec(location.hash) ?? [];
  const place = list ? positionOf(list, decodeURIComponent(at)) : undefined;
  const same = place === undefined ? id : id?.replace(/^f-(claims|proofs)-\d+/, `f-$1-${place}`);
  const again = same ? document.getElementById(same) : undefined;
  again?.focus();
  if (typeof selectionStart === 'number' && again?.setSelectionRange && again.type !== 'date')
    again.setSelectionRange(selectionStart, selectionEnd);
}

addEventListener('hashchange', () => {
  alertOf();
  render();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
});
addEventListener('beforeunload', event => {
  if (!isWaiting()) return;
  save();
  event.preventDefault();
});

/** Another studio, an editor or an import may change the file. */
const POLL_MS = 2000;
setInterval(async () => {
  if (document.hidden || isWaiting()) return;
  try {
    await inTurn(async () => {
      const answer = await call('poll', { version: state.version });
      if (!answer.document) return;
      take(answer);
      say(t('merged'));
    });
  } catch (error) {
    alertOf(h('p', {}, error.message));
  }
}, POLL_MS);

const opened = await call('state');
Object.assign(state, opened);
const wanted = new URLSearchParams(location.search).get('lang');
state.lang = wanted === 'es' || wanted === 'en' ? wanted : /^es\b/i.test(brandLanguage()) ? 'es' : 'en';
render();
