/**
 * What pages and the elements of embed.js do alike with a part that is new: a wait counts down, a text can be copied, and a box
 * grows with its text.
 * @param {ParentNode} root
 */
export function enliven(root) {
  for (const wait of elements(root, '[data-wait]')) countDown(wait);
  for (const button of elements(root, '[data-copy]')) offerCopy(button);
  for (const box of elements(root, 'textarea')) grow(/** @type {HTMLTextAreaElement} */ (box));
}

/**
 * @param {ParentNode} root
 * @param {string} css
 */
export const elements = (root, css) => [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(css))];

/** @param {HTMLElement} wait */
function countDown(wait) {
  const until = Date.now() + Number(wait.dataset.wait) * 1000;
  const timer = setInterval(() => {
    const minutes = Math.ceil((until - Date.now()) / 60_000);
    if (minutes < 120) wait.textContent = wait.dataset.many.replace('{}', String(minutes));
    if (minutes === 1) wait.textContent = wait.dataset.one;
    if (minutes > 0) return;
    wait.textContent = wait.dataset.now;
    clearInterval(timer);
  }, 5000);
}

/** @param {HTMLElement} button */
function offerCopy(button) {
  button.hidden = false;
  button.onclick = async () => {
    const text = button.textContent;
    await navigator.clipboard.writeText(button.dataset.copy);
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
 * Says under a form why nothing came of it; what was typed stays.
 * @param {HTMLFormElement} form
 * @param {string} words
 */
export function setFault(form, words) {
  form.parentElement.querySelector('.lost')?.remove();
  const line = Object.assign(document.createElement('p'), { className: 'error lost', textContent: words });
  line.setAttribute('role', 'alert');
  form.after(line);
}

const policy = globalThis.trustedTypes?.createPolicy('aval', { createHTML: text => text });

/**
 * @param {string} text
 * @returns {Document}
 */
export function parsePage(text) {
  return new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');
}

/**
 * @param {HTMLFormElement | null} form
 * @param {string} name
 */
export const fieldOf = (form, name) => /** @type {HTMLInputElement | null} */ (form?.elements.namedItem(name));

/**
 * The fields of a form as browsers send them.
 * @param {FormData} data
 */
export const fieldsOf = data => new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
