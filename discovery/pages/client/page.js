import { elements, enliven, moveTo, setBusy } from './lively.js';

/** A form says that it is on its way, and goes once. */
document.addEventListener('submit', event => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.dataset.busy) return;
  // After the browser has read its fields: a button that is off belongs to none.
  setTimeout(() => setBusy(form, form.dataset.busy));
  // Whoever stopped it may send it again.
  setTimeout(() => setBusy(form), 10_000);
});

addEventListener('pageshow', event => {
  if (!event.persisted) return;
  for (const button of elements(document, 'button[data-text]')) setBusy(button.closest('form'));
});

const TYPED = 'aval-typed';
const FIELDS = 'form[method=post] :is(input:not([type=hidden]),textarea)';

/** The other language shows the same page with what was typed. */
document.addEventListener('click', event => {
  const link = /** @type {HTMLElement} */ (event.target).closest('a[hreflang]');
  if (!link) return;
  const fields = /** @type {HTMLInputElement[]} */ (elements(document, FIELDS));
  const typed = fields.map(({ id, value, checked }) => [id, value, checked]);
  sessionStorage.setItem(TYPED, JSON.stringify({ path: location.pathname, typed }));
});

function restoreTyped() {
  const kept = JSON.parse(sessionStorage.getItem(TYPED) ?? 'null');
  sessionStorage.removeItem(TYPED);
  if (kept?.path !== location.pathname) return;
  for (const [id, value, checked] of kept.typed) {
    const field = /** @type {HTMLInputElement} */ (document.getElementById(id));
    if (field && field.value === '') field.value = value;
    if (field?.type === 'checkbox') field.checked = checked;
  }
}

/** @param {string} text */
const fold = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Filters the list of claims as one types: rows, the counts of their categories, and a line that says how many are left.
 * @param {HTMLElement} box
 */
function offerFilter(box) {
  const input = box.querySelector('input');
  const status = box.querySelector('[role=status]');
  const clear = box.querySelector('button');
  const none = document.querySelector('#filter-none');
  const groups = elements(document, '.group').map(group => ({
    group,
    count: document.querySelector(`.jumps a[href="#${group.id}"] .count`),
    rows: elements(group, '.row').map(row => ({ row, text: fold(row.textContent) })),
  }));
  const filter = () => {
    const words = fold(input.value).split(/\s+/);
    let total = 0;
    for (const { group, count, rows } of groups) {
      let left = 0;
      for (const { row, text } of rows) {
        row.hidden = !words.every(word => text.includes(word));
        if (!row.hidden) left += 1;
      }
      group.hidden = left === 0;
      if (count) count.textContent = String(left);
      total += left;
    }
    const typed = input.value.trim();
    const template = total === 0 ? box.dataset.none : box.dataset.matching;
    const text = template.replace('{n}', String(total)).replace('{words}', () => typed);
    status.textContent = typed === '' ? '' : text;
    clear.hidden = typed === '';
    none.toggleAttribute('hidden', total > 0);
    none.querySelector('span').textContent = text;
    const ask = none.querySelector('a');
    const address = new URL(ask.href);
    address.searchParams.set('q', typed);
    ask.href = address.href;
  };
  input.addEventListener('input', filter);
  clear.addEventListener('click', () => {
    input.value = '';
    filter();
    input.focus();
  });
  box.hidden = false;
  if (input.value !== '') filter();
}

enliven(document);
restoreTyped();
for (const box of elements(document, '.filter')) offerFilter(box);
moveTo(document.querySelector('#answer h1'));
