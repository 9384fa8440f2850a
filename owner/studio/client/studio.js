import {
  canUndo,
  edited,
  form,
  inTurn,
  isWaiting,
  onChange,
  put,
  save,
  showFindings,
  take,
  undo,
} from './editor.js';
import {
  alertOf,
  brandLanguage,
  button,
  call,
  entries,
  filled,
  findingsOf,
  h,
  help,
  hrefOf,
  ID,
  keyOf,
  labelled,
  li,
  list,
  p,
  positionOf,
  row,
  say,
  state,
  t,
  tick,
  titleOf,
  valueAt,
} from './page.js';
import { askedPanel, askPanel, questionsPanel, signPanel } from './panels.js';

const main = document.getElementById('main');

const VIEWS = {
  brand: () => [form('brand', []), ...suggestions()],
  claims: rest => parts('claims', 'claim', rest),
  proofs: rest => parts('proofs', 'proof', rest),
  actions: () => ACTIONS.map(actionForm),
  ask: askPanel,
  questions: questionsPanel,
  asked: () => askedPanel(add),
  sign: signPanel,
};

const view = () => {
  const [name = '', ...rest] = location.hash.slice(1).split('/');
  return { name: Object.hasOwn(VIEWS, name) ? name : 'claims', rest: decodeURIComponent(rest.join('/')) };
};

function render() {
  const { name, rest } = view();
  const brand = Object.values(state.document.names?.[0] ?? {})[0] ?? '';
  document.documentElement.lang = state.lang;
  document.title = `${t(name)} · ${brand || t('title')}`;
  document.getElementById('skip').textContent = t('skip');
  const lang = state.lang === 'es' ? 'en' : 'es';
  const speak = () => {
    state.lang = lang;
    history.replaceState(null, '', `?lang=${lang}${location.hash}`);
    render();
  };
  const other = h('button', { lang, onclick: speak }, lang === 'es' ? 'Español' : 'English');
  const title = h('p', { class: 'name' }, h('span', { class: 'wide' }, `${t('title')}: `), brand);
  const back = button('undo', undo, { id: 'undo', disabled: !canUndo() });
  document.getElementById('top').replaceChildren(h('div', {}, title, help(t('lead'))), row(back, other));
  const links = Object.keys(VIEWS).map(one =>
    h('a', { href: `#${one}`, 'aria-current': one === name ? 'page' : undefined }, t(one)),
  );
  const nav = document.getElementById('nav');
  nav.setAttribute('aria-label', t('title'));
  nav.replaceChildren(...links);
  links
    .find(link => link.hasAttribute('aria-current'))
    ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  main.dataset.view = name;
  main.toggleAttribute('data-detail', rest !== '' && /^(?:claims|proofs)$/.test(name));
  main.replaceChildren(h('h1', {}, t(name)), ...VIEWS[name](rest));
}

/** The questions that the brand's page suggests. */
function suggestions() {
  const all = entries('questions');
  const rows = all.map((was, at) => {
    const path = ['questions', at];
    return h(
      'section',
      { class: 'chip' },
      form('question', path),
      button('remove', () => edited({ path, was, at })),
    );
  });
  const more = () => edited({ path: ['questions', all.length], value: { text: '', claim_id: '' } });
  return [h('h2', {}, t('chips')), ...rows, button('add', more)];
}

const ACTIONS = ['request_diagnostic', 'apply_partner_program'];

/** A request that visitors can send: its words are saved as they are typed, and it is offered once they are whole. */
function actionForm(name) {
  const base = ['actions', name];
  const isSaid = text => typeof text === 'string' && text.trim() !== '';
  const offered = state.document.actions === undefined || valueAt(base)?.enabled === true;
  const isWhole = ({ title, purpose, context, thanks, levels = [] } = {}) =>
    [title, purpose, context, thanks, ...levels].every(isSaid) && context.trim().length >= 10;
  const write = (path, value) => {
    // The first decision writes down both actions: until then both are offered.
    if (state.document.actions === undefined)
      put(['actions'], Object.fromEntries(ACTIONS.map(one => [one, { enabled: true }])));
    else if (valueAt(base) === undefined) put([...base, 'enabled'], false);
    if (path.at(-2) === 'levels') putLevel(path, value);
    else put(path, value);
    follow();
  };
  const decide = enabled => async () => {
    write([...base, 'enabled'], enabled);
    await edited();
  };
  const decision = offered
    ? button('withdraw', decide(false), { class: 'withdraw' })
    : button('offer', decide(true), { class: 'offer main' });
  const follow = () => {
    decision.disabled = !offered && !isWhole(valueAt([...base, 'words', brandLanguage()]));
  };
  follow();
  const said = help(t(offered ? 'offered' : 'not_offered'));
  return h('section', { id: name }, h('h2', {}, t(name)), said, form(name, base, write), row(decision));
}

/** There are four levels or none. */
function putLevel(path, value) {
  const all = path.slice(0, -1);
  const texts = [0, 1, 2, 3].map(level => (level === path.at(-1) ? value : valueAt(all)?.[level]) ?? '');
  put(all, texts.some(Boolean) ? texts : undefined);
}

const filtered = { text: '', open: false };

const stateOf = group => {
  const found = findingsOf(group);
  return found.some(({ kind }) => kind === 'fault') ? 'fault' : found.length > 0 ? 'warning' : 'ok';
};

/** A list with a filter, and the form of the one that is chosen. */
function parts(name, kind, rest) {
  const chosen = positionOf(name, rest);
  const items = h(
    'ul',
    { id: 'list' },
    ...entries(name).map((part, at) => link(name, part, at, at === chosen)),
  );
  const narrow = change => {
    Object.assign(filtered, change);
    for (const item of items.children)
      item.hidden =
        !item.textContent.toLowerCase().includes(filtered.text.toLowerCase()) ||
        (filtered.open && item.dataset.state === 'ok');
  };
  const search = ({ target }) => narrow({ text: target.value });
  const filter = h('input', { id: 'filter', type: 'search', value: filtered.text, oninput: search });
  const onchange = ({ target }) => narrow({ open: target.checked });
  const side = h(
    'section',
    { class: 'side', 'aria-label': t(name) },
    h('p', { class: 'help', id: 'counts' }, counts()),
    labelled('filter', filter),
    tick({ id: 'open', checked: filtered.open, onchange }, t('open')),
    button(`add_${kind}`, () => add(name)),
    items,
  );
  narrow({});
  const beside = chosen === undefined ? (name === 'claims' ? basics() : '') : detail(name, kind, chosen);
  return [h('div', { class: 'split' }, side, beside)];
}

function link(name, part, at, current) {
  const mark = stateOf(`${name}/${at}`);
  const words = [h('span', { class: 'mark' }, `${t(mark)}: `), h('span', { class: 'text' }, titleOf(part))];
  const address = h('a', { href: hrefOf(name, at), 'aria-current': current ? 'true' : undefined }, ...words);
  return h('li', { 'data-state': mark, 'data-group': `${name}/${at}` }, address);
}

function counts() {
  const all = Object.values(state.findings).flat();
  const of = wanted => all.filter(({ kind }) => kind === wanted).length;
  return t('counts', entries('claims').length, of('fault'), of('warning'));
}

/** What people ask first and no claim answers yet, each with a claim to begin. */
const basics = () =>
  filled(async () => {
    const { open } = await call('basics');
    const write = draft => button('to_claim', () => add('claims', draft));
    const rows = open.map(({ query, draft }) => li(p(query), help(draft), write(draft)));
    return rows.length === 0 ? [] : [h('h2', {}, t('basics')), p(t('basics_lead')), list('cards', rows)];
  });

function detail(name, kind, at) {
  const part = entries(name)[at];
  const path = [name, keyOf(name, at)];
  const leave = async (to, ...edits) => {
    if ((await edited(...edits)).length === 0) location.hash = to;
  };
  const moveTo = to => () =>
    leave(
      `#${name}/${typeof path[1] === 'number' ? to : path[1]}`,
      { path, was: part, at },
      { path, value: part, at: to },
    );
  const remove = async () => {
    const links = dropLinks(name, entries(name)[at]?.[ID[name]]);
    await leave(`#${name}`, { path: [name, keyOf(name, at)], was: entries(name)[at], at });
    say(t(links > 0 ? 'removed_linked' : 'removed_part'));
  };
  const buttons = [
    name === 'claims' && at > 0 && button('like', () => like(at)),
    button('next', () => nextToMend(name, at)),
    button('up', moveTo(at - 1), { disabled: at === 0 }),
    button('down', moveTo(at + 1), { disabled: at === entries(name).length - 1 }),
    button('remove', remove, { class: 'danger' }),
  ];
  return h(
    'section',
    { class: 'detail', 'aria-labelledby': 'part' },
    h('p', { class: 'back' }, h('a', { href: `#${name}` }, `← ${t(name)}`)),
    h('h2', { id: 'part' }, titleOf(part)),
    form(kind, [name, at]),
    row(...buttons),
  );
}

/** Takes away what names a claim or a proof: its questions, or its tick in claims. Gives how many; the last goes first, so that Undo brings each to its place. */
function dropLinks(name, id) {
  const isLinked = entry => (name === 'claims' ? entry?.claim_id === id : entry?.proof_ids?.includes(id));
  const list = name === 'claims' ? 'questions' : 'claims';
  const places = entries(list).flatMap((entry, at) => (id !== undefined && isLinked(entry) ? [at] : []));
  for (const at of places.toReversed())
    if (name === 'claims') put([list, at], undefined);
    else put([list, at, 'proof_ids'], without(id, entries(list)[at].proof_ids));
  return places.length;
}

const without = (id, ids) => ids.filter(one => one !== id);

/** What a claim says of its limits where the one above says it and this one does not yet. */
async function like(at) {
  const [above, own] = [entries('claims')[at - 1], entries('claims')[at]];
  for (const name of ['boundary', 'category', 'confidence'])
    if (above?.[name] !== undefined && own?.[name] === undefined) put(['claims', at, name], above[name]);
  await edited();
}

async function nextToMend(name, at) {
  await save();
  const all = entries(name).map((_, index) => (at + 1 + index) % entries(name).length);
  const next = all.find(index => stateOf(`${name}/${index}`) === 'fault');
  location.hash = next === undefined ? '#sign' : hrefOf(name, next);
}

/** A new entry, with the first words of a claim where there are some. Gives its id. */
async function add(name, statement) {
  const taken = new Set(entries(name).map(part => part?.[ID[name]]));
  const prefix = name === 'claims' ? 'clm' : 'prf';
  let number = entries(name).length + 1;
  while (taken.has(`${prefix}-${number}`)) number += 1;
  const id = `${prefix}-${number}`;
  const value = {
    [ID[name]]: id,
    ...(statement && { statement }),
    ...(name === 'claims' && { proof_ids: [] }),
  };
  if ((await edited({ path: [name, id], value })).length === 0) location.hash = `#${name}/${id}`;
  return id;
}

/** After each answer: the whole page where it shows something else than the file, else titles and what is to mend. */
onChange(stale => {
  // A page with a question that is being typed is not drawn again.
  if (stale && !/^(?:ask|asked|questions)$/.test(main.dataset.view)) return keepFocus(render);
  document.getElementById('undo').disabled = !canUndo();
  for (const box of document.querySelectorAll('form.part')) showFindings(box);
  for (const item of document.querySelectorAll('#list > li')) {
    item.dataset.state = stateOf(item.dataset.group);
    item.querySelector('.mark').textContent = `${t(item.dataset.state)}: `;
    item.querySelector('.text').textContent = titleOf(valueAt(item.dataset.group.split('/')));
  }
  const title = document.querySelector('#list [aria-current] .text')?.textContent;
  if (title) document.getElementById('part').textContent = title;
  document.getElementById('counts')?.replaceChildren(counts());
});

function keepFocus(work) {
  const { id, selectionStart, selectionEnd } = document.activeElement ?? {};
  work();
  // The part that was being edited may stand at another place now.
  const { name, rest } = view();
  const same = id?.replace(/^f-(?:claims|proofs)-\d+/, () => `f-${name}-${positionOf(name, rest)}`);
  const again = same ? document.getElementById(same) : undefined;
  again?.focus();
  if (typeof selectionStart === 'number' && again?.setSelectionRange && again.type !== 'date')
    again.setSelectionRange(selectionStart, selectionEnd);
}

addEventListener('beforeunload', event => {
  if (!isWaiting()) return;
  void save();
  event.preventDefault();
});

/** Another studio, an editor or an import may change the file. */
const POLL_MS = 2000;
setInterval(() => {
  if (document.hidden || isWaiting()) return;
  inTurn(async () => {
    const answer = await call('poll', { version: state.version });
    if (!answer.document || isWaiting()) return;
    take(answer);
    say(t('merged'));
  }).catch(error => alertOf(error.message));
}, POLL_MS);

const { words, fields, ...opened } = await call('state');
Object.assign(state, { words, fields, document: opened.document });
const wanted = new URLSearchParams(location.search).get('lang') ?? brandLanguage();
state.lang = /^es\b/i.test(wanted) ? 'es' : 'en';
take(opened, true);
addEventListener('hashchange', () => {
  alertOf();
  render();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
});
