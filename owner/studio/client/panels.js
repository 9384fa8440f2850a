import { choice, claimOptions, item, take } from './editor.js';
import {
  alertOf,
  brandLanguage,
  button,
  call,
  claimLink,
  dayOf,
  entries,
  fieldOf,
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
  titleOf,
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
    const faults = findings.filter(({ kind }) => kind === 'fault');
    // The button that signs for a year mends the dates.
    const others = faults.filter(({ path }) => path[0] !== 'expires_at');
    const warnings = findings.filter(({ kind }) => kind === 'warning');
    const harmful = warnings.filter(finding => finding.harmful).map(({ path }) => path.join('.'));
    const sign = renew =>
      guarded(async () => {
        take(await call('sign', { renew, seen: [...seen] }));
        alertOf();
        say(t('live', 'brand.json'));
        box.replaceChildren(...(await show()));
      });
    const year = button('sign_year', sign(true), { class: 'main' });
    const same = button(['sign_until', dayOf(state.document.expires_at)], sign(false));
    const follow = () => {
      const isUnseen = harmful.some(path => !seen.has(path));
      year.disabled = others.length > 0 || isUnseen;
      same.disabled = faults.length > 0 || isUnseen;
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
      others.length > 0 && h('p', {}, t('faults_first')),
      list('findings', faults.map(findingItem)),
      faults.length > 0 && h('p', {}, h('a', { class: 'button main', href: hrefOfFinding(faults[0]) }, t('mend'))),
      looked.length > 0 && h('h2', {}, t(signed ? 'warning' : 'look_first')),
      list('findings', looked),
      there ? h('div', { class: 'row' }, year, same) : h('p', {}, t('no_key', key)),
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

/** A value as people read it; of a field with a choice, its word, and of a link, what it leads to. */
function said(value, field) {
  if (value !== null && typeof value === 'object') {
    const parts = typeof value.text === 'string' ? [value.text] : Object.values(value);
    return parts.map(one => said(one, field)).join(', ');
  }
  if (field?.is === 'proofs')
    return titleOf(entries('proofs').find(proof => proof?.proof_id === value) ?? { text: value });
  if (field?.of || typeof value === 'boolean') return t(value);
  return typeof value === 'number' ? value.toLocaleString(brandLanguage()) : dayOf(value) || String(value);
}

const KINDS = { added: 'added', removed: 'gone', changed: 'changed' };

function changeItem({ part, kind, changes }) {
  const [name, id = ''] = part.split(' ', 2);
  const line = change => {
    const path = change.path.split(/[.[\]]+/).filter(piece => !/^\d*$/.test(piece));
    const [list, ...member] = path[0] === 'actions' ? path.slice(1) : [name === 'profile' ? 'brand' : name, ...path];
    const field = fieldOf(list, member);
    const [was, is] = [change.before, change.after].map(value => value !== undefined && said(value, field));
    const sentence = !was ? t('is_new', is) : !is ? t('is_gone', was) : t('was_is', was, is);
    return h('p', {}, h('strong', {}, name === 'profile' ? placeOf(path) : labelOf(name, path)), `: ${sentence}`);
  };
  const what = name === 'profile' ? t(name) : `${t(name)} ${id} (${t(KINDS[kind])})`;
  return h('li', {}, h('p', {}, h('strong', {}, what)), ...changes.map(line));
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
