import { elements, enliven, moveTo, setBusy } from './lively.js';

/**
 * `<aval-ask>`: the question box on pages of other sites. The server draws box and answers as parts of a page, in the language
 * of the page around; a shadow root shows them. Address and style come with the script, so it works as a module, in a bundle
 * and loaded twice. A constructed style sheet needs no `style-src` (CSSOM, 6.1.1).
 */

/** The server's address and the style of the element: the server writes its own here (discovery/pages/assets.ts). */
const server = { url: '', style: '' };

/** Names for `::part()`. */
const PARTS = {
  form: 'form',
  label: 'label',
  textarea: 'field',
  'button:not(.quiet)': 'button',
  '.quiet,summary': 'action',
  'a:not(.chips a,.button)': 'link',
  '.button': 'button',
  h1: 'title',
  '.claim': 'claim',
  '.statement': 'statement',
  '.figure': 'figure',
  '.limits': 'limits',
  '.chips a': 'chip',
};

const policy = globalThis.trustedTypes?.createPolicy('aval', { createHTML: text => text });

/** @param {string} text */
const parsePage = text =>
  new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, 'text/html');

class AvalAsk extends HTMLElement {
  /** Counts what was asked: only the last is drawn. */
  turn = 0;
  path = '/forms/ask';

  connectedCallback() {
    this.languages = new MutationObserver(() => this.begin());
    this.languages.observe(document, { subtree: true, attributeFilter: ['lang'] });
    if (!this.shadowRoot) this.prepare();
    this.begin();
  }

  disconnectedCallback() {
    this.languages.disconnect();
  }

  prepare() {
    this.attachShadow({ mode: 'open' }).append(document.createElement('slot'));
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(server.style);
    this.shadowRoot.adoptedStyleSheets = [sheet];
    this.box = document.createElement('div');
    this.box.className = 'aval';
    this.box.setAttribute('part', 'box');
    this.box.setAttribute('aria-live', 'polite');
    this.shadowRoot.addEventListener('submit', event => this.send(event));
    this.shadowRoot.addEventListener('click', event => this.follow(event));
  }

  /** Draws the box; in another language again, with what was asked last. */
  begin() {
    if (this.drawnLanguage === this.language) return;
    this.drawnLanguage = this.language;
    this.load(this.path, false);
  }

  get language() {
    return this.lang || /** @type {HTMLElement} */ (this.closest('[lang]'))?.lang || '';
  }

  /**
   * @param {string} path
   * @param {boolean} isAnswer the reader asked for it, and is taken to it
   */
  async load(path, isAnswer) {
    this.turn += 1;
    const turn = this.turn;
    this.path = path;
    const url = new URL(path, server.url);
    if (this.language) url.searchParams.set('lang', this.language);
    this.box.setAttribute('aria-busy', 'true');
    try {
      const headers = { accept: 'text/html;fragment=1' };
      const signal = AbortSignal.timeout(10_000);
      const response = await fetch(url, { headers, credentials: 'omit', signal });
      const parts = elements(parsePage(await response.text()), '.core');
      if (turn !== this.turn) return;
      if (parts.length === 0)
        throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status });
      this.draw(parts);
      if (isAnswer) moveTo(this.box.querySelector('h1'));
      this.tell('shown', { status: response.status });
    } catch (error) {
      if (turn === this.turn) this.fail(error, url);
    }
    if (turn === this.turn) this.box.removeAttribute('aria-busy');
  }

  /** @param {HTMLElement[]} parts */
  draw(parts) {
    this.box.style.setProperty('--rem', getComputedStyle(this).fontSize);
    this.box.replaceChildren(...parts);
    for (const link of elements(this.box, 'a[href^="/"]:not([data-ask])'))
      Object.assign(link, {
        href: server.url + link.getAttribute('href'),
        target: '_blank',
        rel: 'noopener',
      });
    for (const title of elements(this.box, 'h1,h2'))
      title.setAttribute('aria-level', String(Number(title.localName[1]) + 1));
    for (const [css, name] of Object.entries(PARTS))
      for (const element of elements(this.box, css)) element.setAttribute('part', name);
    if (!this.box.isConnected) this.shadowRoot.replaceChildren(this.box);
    enliven(this.box);
  }

  /** A question that is offered is answered in the element. */
  follow(event) {
    const link = event.target.closest('a[data-ask]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.ask(link.getAttribute('href'));
  }

  send(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    const query = new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));
    this.ask(`/ask?${query}`);
  }

  /** @param {string} path */
  ask(path) {
    const form = /** @type {HTMLFormElement} */ (this.box.querySelector('#ask'));
    if (form) setBusy(form, form.dataset.busy);
    this.load(path, true);
  }

  /** Tells the visitor in the form, else by a link; the developer in the console; the page by an event. */
  fail(error, url) {
    const form = /** @type {HTMLFormElement} */ (this.box.querySelector('#ask'));
    if (form) {
      setBusy(form);
      form.parentElement.querySelector('.error')?.remove();
      const isAnswered = error.status || error.name === 'TimeoutError';
      const textContent = isAnswered ? form.dataset.unavailable : form.dataset.offline;
      const line = Object.assign(document.createElement('p'), {
        className: 'error',
        textContent,
        role: 'alert',
      });
      form.after(line);
    } else if (this.childNodes.length === 0) {
      const { host } = new URL(server.url);
      this.append(Object.assign(document.createElement('a'), { href: url, textContent: host }));
    }
    this.tell('failed', { status: error.status, reason: error.message });
    console.error(`<aval-ask>: ${server.url}: ${error.message}`);
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`aval:${name}`, { detail, bubbles: true }));
  }
}

/** A second script of the same kind finds the element defined. */
if (!customElements.get('aval-ask')) customElements.define('aval-ask', AvalAsk);
