import { elements, enliven, moveTo, setBusy } from './lively.js';

/** What a page does where a browser runs scripts: a form says that it is on its way and goes once; claims are filtered as one types. */
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
  for (const group of elements(document, '.group'))
    group.hidden = !group.querySelector('.claim:not([hidden])');
});

enliven(document);
moveTo(document.querySelector('#answer h1'));
