import { claimOptions, item } from './editor.js';
import { alertOf, call, choiceWord, claimLink, fieldWord, guarded, h, hrefOf, say, state, t } from './page.js';

const percent = value => `${Math.round(value * 100)} %`;
const marked = pieces => pieces.map(({ text, matched }) => (matched ? h('mark', {}, text) : text));

/** A box to ask, and what each claim got. */
export function askPanel(query = '') {
  const answer = h('div', { id: 'answer', 'aria-live': 'polite' });
  const input = h('textarea', { id: 'ask', rows: 2, maxlength: 2000, value: query });
  const ask = guarded(async () => {
    if (input.value.trim() === '') return;
    answer.replaceChildren(...explained(await call('ask', { query: input.value })));
  });
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter' && !event.shiftKey) ask(event);
  });
  if (query) ask();
  return [
    h('form', { onsubmit: ask }, h('label', { for: 'ask' }, t('ask_label')), input, h('button', {}, t('ask_button'))),
    answer,
  ];
}

function explained({ query, answered, some, matches }) {
  if (matches.length === 0) return [h('p', {}, t('nothing_to_ask'))];
  const keep = relevant =>
    guarded(async () => {
      await call('question', { query, relevant });
      say(t('kept'));
    });
  const items = matches.map(({ claim_id, statement, applies, excludes, band, scores }) =>
    h(
      'li',
      {},
      h('p', { class: 'statement' }, ...marked(statement)),
      h('p', { class: 'help' }, ...marked(applies)),
      h('p', { class: 'help' }, ...marked(excludes)),
      h(
        'p',
        { class: 'scores' },
        `${t(band)} · ${Object.entries(scores)
          .map(([name, value]) => `${t(name)} ${name === 'similarity' ? percent(value) : value.toFixed(2)}`)
          .join(' · ')}`,
      ),
      h(
        'div',
        { class: 'row' },
        h('a', { href: `#claims/${encodeURIComponent(claim_id)}`, class: 'button' }, t('edit')),
        h('button', { onclick: keep([claim_id]) }, t('right')),
      ),
    ),
  );
  return [
    h('h2', {}, answered ? t('answered') : t('not_answered', percent(some))),
    h('ol', { class: 'cards' }, ...items),
    h('button', { onclick: keep([]) }, t('wrong')),
  ];
}

/** The owner's questions with their figures, misses first, and what to mend. */
export function questionsPanel() {
  const list = h('div', {}, t('saving'));
  const query = h('input', { id: 'q-new', type: 'text', maxlength: 2000 });
  const wanted = h(
    'select',
    { id: 'q-claim' },
    h('option', { value: '' }, t('nothing')),
    ...claimOptions().map(([id, text]) => h('option', { value: id }, text)),
  );
  const hints = h('section', { 'aria-labelledby': 'hints' });
  const show = async measured => {
    list.replaceChildren(...rows(measured, show));
    hints.replaceChildren(h('h2', { id: 'hints' }, t('hints')), ...hintItems(await call('hints')));
  };
  const add = guarded(async () => {
    if (query.value.trim() === '') return;
    await show(await call('question', { query: query.value, relevant: wanted.value ? [wanted.value] : [] }));
    query.value = '';
    query.focus();
  });
  guarded(async () => show(await call('questions')))();
  return [
    h('p', {}, t('measure_lead')),
    h(
      'form',
      { class: 'row', onsubmit: add },
      h('div', { class: 'field' }, h('label', { for: 'q-new' }, t('ask_label')), query),
      h('div', { class: 'field' }, h('label', { for: 'q-claim' }, t('wanted')), wanted),
      h('button', {}, t('add_question')),
    ),
    hints,
    list,
  ];
}

function rows({ figures, rows: asked }, show) {
  if (asked.length === 0) return [h('p', {}, t('no_questions'))];
  const { first, answerable, inFive, honest, unanswerable } = figures;
  const remove = row =>
    guarded(async () => show(await call('question', { query: row.query, relevant: [], remove: true })));
  return [
    h('p', { class: 'figures', id: 'figures' }, t('figures', first, answerable, inFive, honest, unanswerable)),
    h(
      'ul',
      { class: 'cards' },
      ...asked.map(row => {
        const isRight = row.relevant.length === 0 ? row.some < 0.2 : row.place === 1;
        return h(
          'li',
          { class: isRight ? 'right' : 'missed' },
          h('p', {}, h('strong', {}, row.query)),
          isRight
            ? h(
                'p',
                { class: 'help' },
                `${t('first')}: `,
                row.relevant.length === 0 ? t('nothing') : claimLink(row.relevant[0]),
              )
            : h(
                'dl',
                {},
                h('dt', {}, t('wanted')),
                h('dd', {}, ...wantedLinks(row.relevant)),
                h('dt', {}, t('came')),
                h('dd', {}, claimLink(row.came)),
              ),
          h(
            'div',
            { class: 'row' },
            h('a', { class: 'button', href: `#ask/${encodeURIComponent(row.query)}` }, t('ask_button')),
            h('button', { onclick: remove(row) }, t('remove')),
          ),
        );
      }),
    ),
  ];
}

const wantedLinks = ids =>
  ids.length === 0 ? [t('nothing')] : ids.flatMap((id, at) => (at === 0 ? [claimLink(id)] : [' · ', claimLink(id)]));

function hintItems({ hints }) {
  if (hints.length === 0) return [h('p', {}, t('no_hints'))];
  const text = hint => {
    if (hint.kind === 'word') return t('hint_word', hint.word);
    if (hint.kind === 'rivals') return t('hint_rivals', hint.questions.length);
    return t(hint.kind === 'quantity' ? `hint_${hint.quantity}` : 'hint_missed');
  };
  return [
    h(
      'ul',
      { class: 'cards' },
      ...hints.map(hint =>
        h(
          'li',
          { class: 'hint' },
          h('p', {}, h('strong', {}, text(hint))),
          h('p', { class: 'help' }, hint.questions.slice(0, 4).join(' · ')),
          h(
            'p',
            {},
            ...hint.claims.flatMap((id, at) => (at === 0 ? [claimLink(id)] : [' · ', claimLink(id)])),
            hint.came ? [' ← ', claimLink(hint.came)] : '',
          ),
        ),
      ),
    ),
  ];
}

/** What changed since the last signature, what keeps it from being signed, and the signature. */
export function signPanel(take) {
  const box = h('div', {}, t('saving'));
  const sign = renew =>
    guarded(async () => {
      take(await call('sign', { renew }));
      alertOf();
      say(t('signed'));
      await show();
    });
  const show = async () => {
    const { key, there, signed, changes } = await call('signing');
    const faults = Object.entries(state.findings).flatMap(([group, list]) =>
      list.filter(({ kind }) => kind === 'fault').map(finding => [group, finding]),
    );
    const warnings = Object.entries(state.findings).flatMap(([group, list]) =>
      list.filter(({ kind }) => kind === 'warning').map(finding => [group, finding]),
    );
    const mendable = faults.filter(([, { path }]) => path[0] !== 'expires_at');
    box.replaceChildren(
      h('p', {}, t('sign_lead')),
      h('p', { id: 'signed' }, h('strong', {}, t(signed ? 'is_signed' : 'not_signed'))),
      ...(mendable.length > 0
        ? [
            h('p', {}, t('faults_first')),
            h(
              'ul',
              { class: 'findings' },
              ...mendable.slice(0, 50).map(([group, finding]) => faultItem(group, finding)),
            ),
          ]
        : []),
      there
        ? h(
            'div',
            { class: 'row' },
            h('button', { disabled: mendable.length > 0, onclick: sign(true) }, t('sign_year', key)),
            h('button', { disabled: faults.length > 0, onclick: sign(false) }, t('sign_button', key)),
          )
        : h('p', {}, t('no_key', key)),
      ...(warnings.length > 0
        ? [
            h('h2', {}, t('look_first')),
            h(
              'ul',
              { class: 'findings' },
              ...warnings.slice(0, 50).map(([group, finding]) => faultItem(group, finding)),
            ),
          ]
        : []),
      h('h2', {}, t('changes')),
      ...(!changes?.length
        ? [h('p', {}, t(changes ? 'no_changes' : 'not_compared'))]
        : [h('ul', { class: 'cards' }, ...changes.slice(0, 200).map(changeItem))]),
    );
  };
  guarded(show)();
  return [box];
}

/** A fault with the way to its form, by the label of its field. */
function faultItem(group, finding) {
  const part = group.split('/').reduce((value, name) => value?.[name], state.document);
  const place = String(part?.statement ?? part?.title ?? t('brand')).slice(0, 60);
  const member = finding.path.slice(group === '' ? 0 : 2).filter(name => typeof name === 'string');
  const label = fieldWord(member.join('.'))[0] || fieldWord(member[0])[0];
  const shown = item(finding);
  shown
    .querySelector('strong')
    .replaceWith(h('a', { href: group === '' ? '#brand' : hrefOf(...group.split('/')) }, `${place}: ${label}`), ': ');
  return shown;
}

const KINDS = { added: 'added', removed: 'gone', changed: 'changed' };
const plain = value => (typeof value === 'string' ? value : JSON.stringify(value));

function changeItem({ part, kind, changes }) {
  const [name, id = ''] = part.split(' ', 2);
  return h(
    'li',
    {},
    h('p', {}, h('strong', {}, `${choiceWord(name)} ${id} (${t(KINDS[kind])})`)),
    h(
      'dl',
      {},
      ...changes.flatMap(({ path, before, after }) => [
        h('dt', {}, path || part),
        before !== undefined && h('dd', {}, h('del', {}, plain(before))),
        after !== undefined && h('dd', {}, h('ins', {}, plain(after))),
      ]),
    ),
  );
}

/** What visitors asked; what got a wrong answer becomes a question of the owner. */
export function askedPanel() {
  const box = h('div', {}, t('saving'));
  const show = async () => {
    const { questions } = await call('asked');
    if (questions.length === 0) return box.replaceChildren(h('p', {}, t('no_asked')));
    box.replaceChildren(h('p', {}, t('asked_lead')), h('ul', { class: 'cards' }, ...questions.map(askedItem)));
  };
  guarded(show)();
  return [box];
}

function askedItem({ query, times, similarity, claim_id, answered }, nth) {
  const wanted = h(
    'select',
    { id: `asked-${nth}` },
    h('option', { value: '' }, t('nothing')),
    ...claimOptions().map(([id, text]) => h('option', { value: id }, text)),
  );
  const keep = guarded(async () => {
    await call('question', { query, relevant: wanted.value ? [wanted.value] : [] });
    say(t('kept'));
  });
  return h(
    'li',
    {},
    h('p', {}, h('strong', {}, query), ` · ${t('times', times)} · ${percent(similarity)}`),
    !answered && h('p', { class: 'help' }, t('open_question')),
    h('p', {}, `${t('came')}: `, claimLink(claim_id ?? '')),
    h(
      'div',
      { class: 'row' },
      h('div', { class: 'field' }, h('label', { for: `asked-${nth}` }, t('wanted')), wanted),
      h('button', { onclick: keep }, t('add_question')),
    ),
  );
}
