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
  filled,
  guarded,
  h,
  help,
  hrefOf,
  labelled,
  labelOf,
  li,
  list,
  p,
  placeOf,
  questionField,
  row,
  say,
  state,
  t,
  tick,
  titleOf,
} from './page.js';

const percent = value => `${Math.round(value * 100)} %`;

/** Makes the buttons that keep one question with its claim; in the place of the one that was pressed stands what takes it back. */
function decider(query) {
  let first;
  let reset = () => {};
  return (word, relevant) => {
    const decide = button(word, async () => {
      const { before } = await call('question', { query, relevant: relevant() });
      first ??= before ?? { query, relevant: [], remove: true };
      reset();
      box.replaceChildren(h('span', { class: 'help' }, t('kept')), back);
      reset = () => box.replaceChildren(decide);
      back.focus();
      say(t('kept'));
    });
    const back = button('undo', async () => {
      await call('question', { query, relevant: first.relevant, remove: first.remove });
      reset();
      decide.focus();
      say(t('not_kept'));
    });
    const box = h('span', { class: 'row' }, decide);
    return box;
  };
}

/** A box to ask, and what each claim got. */
export function askPanel(asked = '') {
  const answer = h('div', { id: 'answer', 'aria-live': 'polite' });
  const [field, question] = questionField(h('textarea', { id: 'ask', rows: 2, value: asked }));
  const ask = guarded(async () => {
    const query = question();
    if (query) answer.replaceChildren(...explained(await call('ask', { query })));
  });
  const onkeydown = event => event.key === 'Enter' && !event.shiftKey && ask(event);
  if (asked) ask();
  const box = h('form', { onsubmit: ask, onkeydown }, field, h('button', { class: 'main' }, t('ask_button')));
  return [p(t('try_lead')), box, answer];
}

function explained({ query, answered, some, matches }) {
  if (matches.length === 0) return [p(t('nothing_to_ask'))];
  const decide = decider(query);
  const edit = id => h('a', { href: `#claims/${encodeURIComponent(id)}`, class: 'button' }, t('edit'));
  const items = matches.map(({ claim: { claim_id, statement, boundary }, band, similarity }) =>
    li(
      h('p', { class: 'statement' }, statement),
      help(`✓ ${boundary.applicable_for}`),
      help(`✕ ${boundary.not_applicable_for}`),
      help(`${t(band)} · ${t('similarity')} ${percent(similarity)}`),
      row(
        edit(claim_id),
        decide('right', () => [claim_id]),
      ),
    ),
  );
  return [
    h('h2', {}, answered ? t('answered') : t('not_answered', percent(some))),
    h('ol', { class: 'cards' }, ...items),
    decide('wrong', () => []),
  ];
}

/** A field to say which claim should answer, and what it says. */
function wantedField(id) {
  const select = choice({ id }, () => {}, [['', t('nothing')], ...claimOptions()], '');
  return [labelled('wanted', select), () => [select.value].filter(Boolean)];
}

/** The owner's questions, misses first. */
export function questionsPanel() {
  const [field, question] = questionField(h('input', { id: 'q-new', type: 'text' }));
  const [wanted, relevant] = wantedField('q-claim');
  const send = async body => box.replaceChildren(...rows(await call('question', body)));
  const rows = ({ rows: asked }) => {
    if (asked.length === 0) return [p(t('no_questions'))];
    const right = asked.filter(one => one.right).length;
    const items = asked.map(one =>
      questionItem(one, () => send({ query: one.query, relevant: [], remove: true })),
    );
    return [h('p', { id: 'figures' }, t('figures', right, asked.length)), list('cards', items)];
  };
  const box = filled(async () => rows(await call('questions')));
  const add = guarded(async () => {
    const query = question();
    if (query) await send({ query, relevant: relevant() });
  });
  const submit = h('button', { class: 'main' }, t('add_question'));
  const form = h('form', { class: 'row', onsubmit: add }, field, wanted, submit);
  return [p(t('measure_lead')), form, box];
}

const questionItem = ({ query, relevant, came, right }, remove) =>
  h(
    'li',
    { class: right ? 'right' : 'missed' },
    p(h('strong', {}, query)),
    help(`${t('wanted')}: `, ...(relevant.length > 0 ? relevant.map(claimLink) : [t('nothing')])),
    !right && help(`${t('came')}: `, claimLink(came)),
    row(
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
    const sign = renew => async () => {
      take(await call('sign', { renew, seen: [...seen] }));
      alertOf();
      say(t('live', 'brand.json'));
      box.replaceChildren(...(await show()));
    };
    const year = button('sign_year', sign(true), { class: 'main' });
    const same = button(['sign_until', dayOf(state.document.expires_at)], sign(false));
    const follow = () => {
      const isUnseen = harmful.some(path => !seen.has(path));
      year.disabled = others.length > 0 || isUnseen;
      same.disabled = faults.length > 0 || isUnseen;
    };
    follow();
    const looked = warnings.map((finding, at) => {
      const path = finding.path.join('.');
      const onchange = ({ target }) => {
        if (target.checked) seen.add(path);
        else seen.delete(path);
        follow();
      };
      const shown = findingItem(finding);
      if (finding.harmful)
        shown.append(tick({ id: `seen-${at}`, checked: seen.has(path), onchange }, t('agree')));
      return shown;
    });
    return [
      p(t('sign_lead')),
      h('p', { id: 'signed' }, h('strong', {}, t(signed ? 'is_signed' : 'not_signed'))),
      signed && h('p', { id: 'live' }, t('live', 'brand.json')),
      others.length > 0 && p(t('faults_first')),
      list('findings', faults.map(findingItem)),
      faults.length > 0 && p(h('a', { class: 'button main', href: hrefOfFinding(faults[0]) }, t('mend'))),
      looked.length > 0 && h('h2', {}, t(signed ? 'warning' : 'look_first')),
      list('findings', looked),
      there ? row(year, same) : p(t('no_key', key)),
      h('h2', {}, t('changes')),
      changes?.length
        ? list('cards', changes.map(changeItem))
        : p(t(changes ? 'no_changes' : 'not_compared')),
    ].filter(Boolean);
  };
  const box = filled(show);
  return [box];
}

/** A finding with the way to its form, by the label of its field. */
function findingItem(finding) {
  const shown = item(finding);
  shown
    .querySelector('strong')
    .replaceWith(h('a', { href: hrefOfFinding(finding) }, placeOf(finding.path)), ': ');
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

function changeItem({ part, kind, changes }) {
  const [name, id = ''] = part.split(' ', 2);
  const line = change => {
    const path = change.path.split(/[.[\]]+/).filter(piece => !/^\d*$/.test(piece));
    const [list, ...member] =
      path[0] === 'actions' ? path.slice(1) : [name === 'profile' ? 'brand' : name, ...path];
    const field = fieldOf(list, member);
    const [was, is] = [change.before, change.after].map(value => value !== undefined && said(value, field));
    const sentence = !was ? t('is_new', is) : !is ? t('is_gone', was) : t('was_is', was, is);
    return p(h('strong', {}, name === 'profile' ? placeOf(path) : labelOf(name, path)), `: ${sentence}`);
  };
  const what = name === 'profile' ? t(name) : `${t(name)} ${id} (${t(kind)})`;
  return li(p(h('strong', {}, what)), ...changes.map(line));
}

/** What visitors asked; what got a wrong answer becomes a question of the owner, or a claim. */
export function askedPanel(add) {
  const show = async () => {
    const { questions } = await call('asked');
    if (questions.length === 0) return [p(t('no_asked'))];
    const items = questions.map((asked, nth) => askedItem(asked, nth, add));
    return [p(t('asked_lead')), list('cards', items)];
  };
  return [filled(show)];
}

function askedItem({ query, times, similarity, claim_id, answered }, nth, add) {
  const [wanted, relevant] = wantedField(`asked-${nth}`);
  const write = async () => call('question', { query, relevant: [await add('claims')] });
  return li(
    p(h('strong', {}, query), ` · ${t('times', times)} · ${percent(similarity)}`),
    help(answered ? `${t('came')}: ` : t('open_question'), answered && claimLink(claim_id ?? '')),
    row(wanted, decider(query)('add_question', relevant), button('to_claim', write)),
  );
}
