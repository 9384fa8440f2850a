/**
 * What pages and the elements of embed.js do alike with a part that is new: a wait ends, a text can be copied, a box grows with
 * its text, and two posts of a form are one submission.
 * @param {ParentNode} root
 */
export function enliven(root) {
  for (const wait of elements(root, '[data-wait]'))
    setTimeout(
      () => Object.assign(wait, { textContent: wait.dataset.now }),
      Number(wait.dataset.wait) * 1000,
    );
  for (const button of elements(root, '[data-copy]')) offerCopy(button);
  for (const box of elements(root, 'textarea')) grow(/** @type {HTMLTextAreaElement} */ (box));
  for (const key of /** @type {HTMLInputElement[]} */ (elements(root, '[name=_key]')))
    key.value ||= crypto.randomUUID?.() ?? String(Math.random());
}

/**
 * @param {ParentNode} root
 * @param {string} css
 */
export const elements = (root, css) => [
  .../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(css)),
];

/** @param {HTMLElement} button */
function offerCopy(button) {
  button.hidden = false;
  button.onclick = async () => {
    const text = button.textContent;
    // Without a text of its own it copies what stands before it.
    await navigator.clipboard.writeText(button.dataset.copy || button.previousElementSibling.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = text;
    }, 2500);
  };
}

/**
 * A box of one line asks with Enter; Shift and Enter break the line. Browsers without `field-sizing` get a height instead.
 * @param {HTMLTextAreaElement} box
 */
function grow(box) {
  const fit = () => {
    if (CSS.supports('field-sizing', 'content')) return;
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`;
  };
  box.addEventListener('input', fit);
  fit();
  if (box.rows > 1) return;
  box.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    box.form.requestSubmit();
  });
}

/**
 * Says on the button of a form that something is on its way.
 * @param {HTMLFormElement} form
 * @param {string} [words] none: nothing is
 */
export function setBusy(form, words) {
  const button = /** @type {HTMLButtonElement} */ (form.querySelector('button:not([type=button])'));
  button.dataset.text ??= button.textContent;
  button.disabled = words !== undefined;
  button.setAttribute('aria-busy', String(words !== undefined));
  button.textContent = words === undefined ? button.dataset.text : `${words}…`;
}

/**
 * Takes a reader to a field, or to the heading of what is new.
 * @param {HTMLElement | null} target
 */
export function moveTo(target) {
  if (!target) return;
  if (!target.matches('input,textarea')) target.tabIndex = -1;
  target.focus();
}

const policy = globalThis.trustedTypes?.createPolicy('aval', { createHTML: text => text });

/**
 * @param {string} text
 * @returns {Document}
 */
export function parsePage(text) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');
}
