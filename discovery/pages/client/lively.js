/**
 * What pages and <aval-ask> do alike with a part that is new: a wait ends, a text can be copied, a box grows with its text.
 * @param {ParentNode} root
 */
export function enliven(root) {
  for (const wait of elements(root, '[data-wait]')) {
    const end = () => Object.assign(wait, { textContent: wait.dataset.now });
    setTimeout(end, Number(wait.dataset.wait) * 1000);
  }
  for (const button of elements(root, '[data-copy]')) offerCopy(button);
  for (const box of elements(root, 'textarea')) grow(/** @type {HTMLTextAreaElement} */ (box));
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
  // Browsers have no clipboard on pages without https.
  if (!navigator.clipboard) return;
  button.hidden = false;
  button.setAttribute('aria-live', 'polite');
  button.onclick = async () => {
    const text = button.textContent;
    const isCopied = await navigator.clipboard.writeText(button.dataset.copy).then(
      () => true,
      () => false,
    );
    if (!isCopied) return;
    button.textContent = button.dataset.done;
    setTimeout(() => Object.assign(button, { textContent: text }), 2500);
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
 * Shows on the button of a form that something is on its way.
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
 * Takes a reader to the heading of what is new.
 * @param {HTMLElement | null} heading
 */
export function moveTo(heading) {
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
