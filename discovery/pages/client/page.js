import { offerCopies } from './copy.js';

const TYPED = 'aval-typed';
const formOfPage = () => /** @type {HTMLFormElement} */ (document.querySelector('form[method=post]'));

/** A link to another language keeps what was typed. */
addEventListener('click', ({ target }) => {
  const form = formOfPage();
  if (!form || !(/** @type {Element} */ (target).closest('a[hreflang]'))) return;
  const controls = /** @type {any[]} */ ([...form.elements]).filter(({ name }) => name !== '');
  const fields = controls.map(({ name, value, checked, selectedIndex }) => {
    return { name, value, checked, selectedIndex };
  });
  sessionStorage.setItem(TYPED, JSON.stringify({ path: location.pathname, fields }));
});

function restoreTyped() {
  const { path, fields } = JSON.parse(sessionStorage.getItem(TYPED) ?? '{}');
  sessionStorage.removeItem(TYPED);
  if (path !== location.pathname) return;
  for (const { name, value, checked, selectedIndex } of fields) {
    const field = /** @type {any} */ (formOfPage().elements[name] ?? hiddenInput(name));
    field.value = value;
    field.checked = checked;
    // Choices have other words in the other language, but the same order.
    if (field.value !== value) field.selectedIndex = selectedIndex;
  }
}

/** A hidden field for a value that another website sent. @param {string} name */
function hiddenInput(name) {
  const input = Object.assign(document.createElement('input'), { type: 'hidden', name });
  return formOfPage().appendChild(input);
}

/** @param {string} text */
const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Filters the list of claims while the visitor types, by words and category. Updates the rows, the counts and
 * the line that says how many are left.
 * @param {HTMLFormElement} form
 */
function offerFilter(form) {
  const input = form.querySelector('input');
  const clear = form.querySelector('button');
  const ask = form.querySelector('a');
  const rows = [...document.querySelectorAll('.row')];
  const textOf = row => fold(`${row.parentElement.firstElementChild.textContent} ${row.textContent}`);
  const texts = new Map(rows.map(row => [row, textOf(row)]));
  const filter = () => {
    const typed = input.value.trim();
    const words = fold(typed).split(/\s+/);
    for (const row of rows)
      row.toggleAttribute('hidden', !words.every(word => texts.get(row).includes(word)));
    for (const group of document.querySelectorAll('.group')) {
      const left = group.querySelectorAll('.row:not([hidden])').length;
      const count = document.querySelector(`[href="#${group.id}"] .count`);
      group.toggleAttribute('hidden', left === 0);
      if (count) count.textContent = String(left);
    }
    const total = document.querySelectorAll('.row:not([hidden])').length;
    const template = total === 0 ? form.dataset.none : form.dataset.matching;
    const text = template.replace('{n}', String(total)).replace('{words}', () => typed);
    form.querySelector('[role=status]').textContent = typed === '' ? '' : text;
    clear.hidden = typed === '';
    ask.hidden = total > 0;
    ask.search = new URLSearchParams({ q: typed, lang: document.documentElement.lang }).toString();
  };
  form.addEventListener('input', filter);
  form.addEventListener('submit', event => event.preventDefault());
  form.addEventListener('reset', event => {
    event.preventDefault();
    input.value = '';
    filter();
    input.focus();
  });
  filter();
}

offerCopies(document);
restoreTyped();
for (const form of document.querySelectorAll('.filter')) offerFilter(/** @type {HTMLFormElement} */ (form));
