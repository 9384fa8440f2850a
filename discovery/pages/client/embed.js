import { offerCopies } from './copy.js';

/**
 * `<aval-ask>`: the question box on pages of other sites. It fetches pages of the server, in the language of
 * the host page, and shows their core in a shadow root. The server writes address and style into the script,
 * so it works as a module, in a bundle and loaded twice. A constructed style sheet needs no `style-src`
 * (CSSOM, 6.1.1).
 */

/** Address of the server and style of the element. discovery/pages/assets.ts fills them in. */
const server = { url: '', style: '' };

/** Names for `::part()`. */
const PARTS = {
  form: 'form',
  label: 'label',
  'input:not([type=hidden])': 'field',
  'button:not(.quiet),.button': 'button',
  '.quiet,summary': 'action',
  'a:not(.chips a,.button)': 'link',
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
  connectedCallback() {
    if (this.shadowRoot) return;
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
    this.load('/forms/ask');
  }

  /**
   * Fetches and draws a page of the server in the language of the host page, unless a newer request has
   * begun meanwhile.
   * @param {string} path
   * @returns whether it was drawn
   */
  async load(path) {
    const url = new URL(path, server.url);
    const { lang = '' } = /** @type {HTMLElement} */ (this.closest('[lang]') ?? this);
    if (lang) url.searchParams.set('lang', lang);
    this.latest = url.href;
    this.box.setAttribute('aria-busy', 'true');
    try {
      const options = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(10_000) };
      const response = await fetch(url, { ...options, credentials: 'omit' });
      const parts = parsePage(await response.text()).querySelectorAll('.core');
      if (this.latest !== url.href) return false;
      if (parts.length === 0) throw new Error(`HTTP ${response.status}`);
      this.draw(parts);
      return true;
    } catch (error) {
      if (this.latest === url.href) this.fail(error);
      return false;
    }
  }

  /** @param {NodeListOf<Element>} parts */
  draw(parts) {
    this.box.style.setProperty('--rem', getComputedStyle(this).fontSize);
    this.box.removeAttribute('aria-busy');
    this.box.replaceChildren(...parts);
    for (const link of this.box.querySelectorAll('a[href^="/"]:not(.chips a)')) {
      const href = server.url + link.getAttribute('href');
      Object.assign(link, { href, target: '_blank', rel: 'noopener' });
    }
    for (const title of this.box.querySelectorAll('h1,h2'))
      title.setAttribute('aria-level', String(Number(title.localName[1]) + 1));
    for (const [css, name] of Object.entries(PARTS))
      for (const element of this.box.querySelectorAll(css)) element.setAttribute('part', name);
    if (!this.box.isConnected) this.shadowRoot.replaceChildren(this.box);
    offerCopies(this.box);
  }

  /** Links to questions are answered in the element. */
  follow(event) {
    const link = event.target.closest('.chips a');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    this.ask(link.getAttribute('href'));
  }

  send(event) {
    event.preventDefault();
    const fields = new FormData(event.target);
    this.ask(`/ask?${new URLSearchParams(/** @type {any} */ (fields))}`);
  }

  /** @param {string} path */
  async ask(path) {
    const isDrawn = await this.load(path);
    if (isDrawn) this.box.querySelector('h1')?.focus();
  }

  /** Reports a failure below the form, if one is drawn, and to the console. */
  fail(error) {
    console.error(`<aval-ask>: ${server.url}: ${error.message}`);
    this.box.removeAttribute('aria-busy');
    const form = this.box.querySelector('form');
    if (!form) return;
    const line = document.createElement('p');
    line.className = 'error';
    line.setAttribute('role', 'alert');
    line.textContent = form.dataset.unavailable;
    form.parentElement.querySelector('.error')?.remove();
    form.after(line);
  }
}

/** The script may be loaded twice. */
if (!customElements.get('aval-ask')) customElements.define('aval-ask', AvalAsk);
