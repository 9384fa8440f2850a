import { choice, claimOptions, item, take } from './editor.js';
import {
  alertOf,
  brandLanguage,
  button,
  call,
  claimLink,
  guarded,
  h,
  hrefOf,
  labelOf,
  list,
  placeOf,
  questionNote,
  say,
  state,
  t,
} from './page.js';

const percent = value => `${Math.round(value * 100)} %`;

/** A box that is filled when the desk has answered. */
function filled(show) {
  const box = h('div', { 'aria-live': 'polite' });
  guarded(async () => box.replaceChildren(...(await show(box))))();
  return box;
}

/** Makes the buttons that keep one question with its claim; in the place of the one that was pressed stands what takes it back. */
function decider(query) {
  let first;
  let reset = () => {};
  return (word, relevant) => {
    const keep = guarded(async () => {
      const { before } = await call('question', { query, relevant: relevant() });
      first ??= before ?? { query, relevant: [], remove: true };
      reset();
      box.replaceChildren(h('span', { class: 'help' }, t('kept')), back);
      reset = () => box.replaceChildren(decide);
      back.focus();
      say(t('kept'));
    });
    const decide = button(word, keep);
    const undo = guarded(async () => {
      await call('question', { query, relevant: first.relevant, remove: first.remove });
      reset();
      decide.focus();
      say(t('not_kept'));
    });
    const back = button('undo', undo);
    const box = h('span', { class: 'row' }, decide);
    return box;
  };
}

/** A box to ask, and what each claim got. */
export function askPanel(query = '') {
  const answer = h('div', { id: 'answer', 'aria-live': 'polite' });
  const input = h('textarea', { id: 'ask', rows: 2, value: query });
  const note = questionNote(input);
  const ask = guarded(async () => {
    if (input.value.trim() !== '' && note.textContent === '')
      answer.replaceChildren(...explained(await call('ask', { query: input.value })));
  });
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter' && !event.shiftKey) ask(event);
  });
  if (query) ask();
  const box = h(
    'form',
    { onsubmit: ask },
    h('label', { for: 'ask' }, t('ask_label')),
    input,
    note,
    h('button', { class: 'main' }, t('ask_button')),
  );
  return [h('p', {}, t('try_lead')), box, answer];
}

function explained({ query, answered, some, matches }) {
  if (matches.length === 0) return [h('p', {}, t('nothing_to_ask'))];
  const decide = decider(query);
  const items = matches.map(({ claim, band, similarity }) =>
    h(
      'li',
      {},
      h('p', { class: 'statement' }, claim.statement),
      h('p', { class: 'help' }, `✓ ${claim.boundary.applicable_for}`),
      h('p', { class: 'help' }, `✕ ${claim.boundary.not_applicable_for}`),
      h('p', { class: 'help' }, `${t(band)} · ${t('similarity')} ${percent(similarity)}`),
      h(
        'div',
        { class: 'row' },
        h('a', { href: `#claims/${encodeURIComponent(claim.claim_id)}`, class: 'button' }, t('edit')),
        decide('right', () => [claim.claim_id]),
      ),
    ),
  );
  return [
    h('h2', {}, answered ? t('answered') : t('not_answered', percent(some))),
    h('ol', { class: 'cards' }, ...items),
    decide('wrong', () => []),
  ];
}

/** A field to say which claim should answer. */
function wantedField(id) {
  const select = choice({ id }, () => {}, [['', t('nothing')], ...claimOptions()], '');
  return [select, h('div', { class: 'field' }, h('label', { for: id }, t('wanted')), select)];
}

/** The owner's questions, misses first. */
export function questionsPanel() {
  const query = h('input', { id: 'q-new', type: 'text' });
  const note = questionNote(query);
  const [wanted, wantedBox] = wantedField('q-claim');
  const sent = body => guarded(async () => box.replaceChildren(...rows(await call('question', body()))));
  const rows = ({ rows: asked }) => {
    if (asked.length === 0) return [h('p', {}, t('no_questions'))];
    const right = asked.filter(row => row.right).length;
    return [
      h('p', { id: 'figures' }, t('figures', right, asked.length)),
      list(
        'cards',
        asked.map(one =>
          questionItem(
            one,
            sent(() => ({ query: one.query, relevant: [], remove: true })),
          ),
        ),
      ),
    ];
  };
  const box = filled(async () => rows(await call('questions')));
  const send = sent(() => ({ query: query.value, relevant: wanted.value ? [wanted.value] : [] }));
  const add = event => (note.textContent === '' ? send(event) : event.preventDefault());
  const field = h('div', { class: 'field' }, h('label', { for: 'q-new' }, t('ask_label')), query, note);
  return [
    h('p', {}, t('measure_lead')),
    h('form', { class: 'row', onsubmit: add }, field, wantedBox, h('button', { class: 'main' }, t('add_question'))),
    box,
  ];
}

const questionItem = ({ query, relevant, came, right }, remove) =>
  h(
    'li',
    { class: right ? 'right' : 'missed' },
    h('p', {}, h('strong', {}, query)),
    h('p', { class: 'help' }, `${t('wanted')}: `, ...(relevant.length > 0 ? relevant.map(claimLink) : [t('nothing')])),
    !right && h('p', { class: 'help' }, `${t('came')}: `, claimLink(came)),
    h(
      'div',
      { class: 'row' },
      h('a', { class: 'button', href: `#ask/${encodeURIComponent(query)}` }, t('ask_button')),
      button('remove', remove),
    ),
  );

/** What keeps it from being signed, what deserves a look, what changed, and the signature. */
export function signPanel() {
  const seen = new Set();
  const show = async () => {
    const { key, there, signed, changes, findings } = await call('signing');
    const faults = findings.filter(({ kind, path }) => kind === 'fault' && path[0] !== 'expires_at');
    const warnings = findings.filter(({ kind }) => kind === 'warning');
    const harmful = warnings.filter(finding => finding.harmful).map(({ path }) => path.join('.'));
    const sign = renew =>
      guarded(async () => {
        take(await call('sign', { renew, seen: [...seen] }));
        alertOf();
        say(t('live', 'brand.json'));
        box.replaceChildren(...(await show()));
      });
    const buttons = [button('sign_year', sign(true), { class: 'main' }), button('sign_button', sign(false))];
    const follow = () => {
      for (const one of buttons) one.disabled = faults.length > 0 || harmful.some(path => !seen.has(path));
    };
    follow();
    const agreed =
      path =>
      ({ target }) => {
        if (target.checked) seen.add(path);
        else seen.delete(path);
        follow();
      };
    const looked = warnings.map((finding, at) => {
      const [path, id] = [finding.path.join('.'), `seen-${at}`];
      const tick = h('input', { type: 'checkbox', id, checked: seen.has(path), onchange: agreed(path) });
      const agree = h('div', { class: 'check' }, tick, h('label', { for: id }, t('agree')));
      const shown = findingItem(finding);
      if (finding.harmful) shown.append(agree);
      return shown;
    });
    return [
      h('p', {}, t('sign_lead')),
      h('p', { id: 'signed' }, h('strong', {}, t(signed ? 'is_signed' : 'not_signed'))),
      signed && h('p', { id: 'live' }, t('live', 'brand.json')),
      faults.length > 0 && h('p', {}, t('faults_first')),
      list('findings', faults.map(findingItem)),
      faults.length > 0 && h('p', {}, h('a', { class: 'button main', href: hrefOfFinding(faults[0]) }, t('mend'))),
      looked.length > 0 && h('h2', {}, t('look_first')),
      list('findings', looked),
      there ? h('div', { class: 'row' }, ...buttons) : h('p', {}, t('no_key', key)),
      h('h2', {}, t('changes')),
      ...(changes?.length
        ? [list('cards', changes.map(changeItem))]
        : [h('p', {}, t(changes ? 'no_changes' : 'not_compared'))]),
    ].filter(Boolean);
  };
  const box = filled(show);
  return [box];
}

/** A finding with the way to its form, by the label of its field. */
function findingItem({ group, ...finding }) {
  const shown = item(finding);
  const href = hrefOfFinding({ group, ...finding });
  shown.querySelector('strong').replaceWith(h('a', { href }, placeOf(finding.path)), ': ');
  return shown;
}

function hrefOfFinding({ group, path }) {
  const [name, at] = group.split('/');
  return state.document[name]?.[at]
    ? hrefOf(name, at)
    : /^(?:claims|proofs|actions)$/.test(path[0])
      ? `#${path[0]}`
      : '#brand';
}

/** A value as people read it; of a member whose values are words of the studio, its word. */
function said(value, isWord) {
  if (value === null || typeof value !== 'object')
    return typeof value === 'number' ? value.toLocaleString(brandLanguage()) : isWord ? t(value) : String(value);
  return Object.values(value)
    .map(one => said(one))
    .join(', ');
}

const KINDS = { added: 'added', removed: 'gone', changed: 'changed' };

function changeItem({ part, kind, changes }) {
  const [name, id = ''] = part.split(' ', 2);
  const sentence = ({ path, before, after }) => {
    const [was, is] = [before, after].map(value =>
      value === undefined ? undefined : said(value, /^confiden|\.enabled$/.test(path)),
    );
    if (was === undefined) return t('is_new', is);
    return is === undefined ? t('is_gone', was) : t('was_is', was, is);
  };
  const place = path => (name === 'profile' ? placeOf(path) : labelOf(name, path));
  const lines = changes.map(change => {
    const path = change.path.split(/[.[\]]+/).filter(piece => !/^\d*$/.test(piece));
    return h('p', {}, h('strong', {}, place(path)), `: ${sentence(change)}`);
  });
  const what = name === 'profile' ? t(name) : `${t(name)} ${id} (${t(KINDS[kind])})`;
  return h('li', {}, h('p', {}, h('strong', {}, what)), ...lines);
}

/** What visitors asked; what got a wrong answer becomes a question of the owner, or a claim. */
export function askedPanel(add) {
  return [
    filled(async () => {
      const { questions } = await call('asked');
      if (questions.length === 0) return [h('p', {}, t('no_asked'))];
      return [
        h('p', {}, t('asked_lead')),
        list(
          'cards',
          questions.map((asked, nth) => askedItem(asked, nth, add)),
        ),
      ];
    }),
  ];
}

function askedItem({ query, times, similarity, claim_id, answered }, nth, add) {
  const [wanted, wantedBox] = wantedField(`asked-${nth}`);
  const write = guarded(async () => call('question', { query, relevant: [await add('claims')] }));
  return h(
    'li',
    {},
    h('p', {}, h('strong', {}, query), ` · ${t('times', times)} · ${percent(similarity)}`),
    h('p', { class: 'help' }, answered ? `${t('came')}: ` : t('open_question'), answered && claimLink(claim_id ?? '')),
    h(
      'div',
      { class: 'row' },
      wantedBox,
      decider(query)('add_question', () => (wanted.value ? [wanted.value] : [])),
      button('to_claim', write),
    ),
  );
}
