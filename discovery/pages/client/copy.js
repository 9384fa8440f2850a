/**
 * Lets the buttons of a page copy their text. Browsers have no clipboard on pages without https.
 * @param {ParentNode} root
 */
export function offerCopies(root) {
  /** @type {NodeListOf<HTMLButtonElement>} */
  const buttons = root.querySelectorAll('[data-copy]');
  for (const button of buttons) {
    button.hidden = !navigator.clipboard;
    button.onclick = async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = button.dataset.done;
    };
  }
}
