import { elements, enliven, moveTo, parsePage, setBusy } from './lively.js';

/**
 * `<aval-ask>` and `<aval-form>`: the question box and the forms on pages of other sites. The server draws them as fragments in
 * the language of the page around; a shadow root shows them in a box that inherits nothing. The server's address and the style
 * come with the script, so it works as a module, in a bundle and loaded twice. A constructed style sheet needs no `style-src`
 * (CSSOM, 6.1.1).
 */

/** The server's address and the style of its elements: the server writes its own here. */
const server = { url: '', style: '' };

/** Names for `::part()`. */
const PARTS = {
  form: 'form',
  label: 'label',
  'input:not([type=hidden]),textarea': 'field',
  button: 'button',
  h1: 'title',
  '.verdict': 'verdict',
  '.claim': 'claim',
  '.statement': 'statement',
  '.figure': 'figure',
  '.pairs': 'boundary',
  '.chips a': 'chip',
  '.error': 'error',
  '.reference': 'reference',
};

/** The fields of a form as browsers send them. */
const fieldsOf = data => new URLSearchParams([...data].map(([name, value]) => [name, String(value)]));

/** What a form says of the page that it stood on. */
const notes = () => [
  ['page', location.origin + location.pathname],
  ...[...new URLSearchParams(location.search)].filter(([name]) =>
    /^utm_(source|medium|campaign|term|content|id)$/.test(name),
  ),
];

class Embed extends HTMLElement {
  static observedAttributes = ['action'];
  turn = 0;

  get shown() {
    return this.localName === 'aval-ask' ? 'ask' : (this.getAttribute('action') ?? 'diagnostic');
  }

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
    new MutationObserver(() => this.begin()).observe(document, { subtree: true, attributeFilter: ['lang'] });
    this.begin();
  }

  attributeChangedCallback() {
    if (this.shadowRoot) this.begin();
  }

  /** Draws the beginning; in another language what was asked last. */
  begin() {
    const { language } = this;
    const path = PATHS[this.shown];
    if (!path)
      return this.fail(new Error(`"${this.shown}" is none of ${Object.keys(PATHS).slice(1).join(', ')}`));
    if (this.drawn === `${path} ${language}`) return;
    const again = this.drawn?.startsWith(`${path} `) && this.asked;
    this.drawn = `${path} ${language}`;
    this.load(this.url(again || path), {}, true);
  }

  get language() {
    return this.lang || /** @type {HTMLElement} */ (this.closest('[lang]'))?.lang || '';
  }

  url(path) {
    const url = new URL(path, server.url);
    if (this.language) url.searchParams.set('lang', this.language);
    return url;
  }

  /** The last request alone is drawn. */
  async load(url, init, isFirst) {
    this.turn += 1;
    const mine = this.turn;
    this.box.setAttribute('aria-busy', 'true');
    try {
      const headers = { accept: 'text/html;fragment=1' };
      const response = await fetch(url, {
        ...init,
        headers,
        credentials: 'omit',
        signal: AbortSignal.timeout(10_000),
      });
      const page = parsePage(await response.text());
      if (mine !== this.turn) return;
      if (!page.querySelector('.core'))
        throw Object.assign(new Error(`HTTP ${response.status}`), { status: response.status });
      this.draw(page);
      if (!isFirst)
        moveTo(this.box.querySelector('[autofocus],[aria-invalid]') ?? this.box.querySelector('h1'));
      this.tell('shown', { status: response.status });
    } catch (error) {
      if (mine === this.turn) this.fail(error, url);
    }
    if (mine === this.turn) this.box.removeAttribute('aria-busy');
  }

  /** What was typed stays; the question box stays above the thanks for a question that was sent. */
  draw(page) {
    const typed = elements(this.box, 'textarea,input:not([type=hidden],[type=checkbox])');
    const parts = elements(page, '.core');
    const box = page.querySelector('#ask') ? undefined : this.box.querySelector('#ask')?.closest('.core');
    if (box) setBusy(box.querySelector('form'));
    this.box.replaceChildren(...(box ? [box] : []), ...parts);
    for (const { id, value } of /** @type {HTMLInputElement[]} */ (typed)) {
      const field = /** @type {HTMLInputElement} */ (this.box.querySelector(`[id="${id}"]`));
      if (field?.value === '') field.value = value;
    }
    for (const link of elements(this.box, 'a[href^="/"]:not([data-ask])'))
      Object.assign(link, {
        href: server.url + link.getAttribute('href'),
        target: '_blank',
        rel: 'noopener',
      });
    for (const title of elements(this.box, 'h1,h2,h3'))
      title.setAttribute('aria-level', String(Number(title.localName[1]) + 1));
    for (const [css, name] of Object.entries(PARTS))
      for (const one of elements(this.box, css)) one.setAttribute('part', name);
    if (!this.box.isConnected) this.shadowRoot.replaceChildren(this.box);
    for (const part of parts) enliven(part);
  }

  follow(event) {
    const link = event.target.closest('a');
    const to = link?.getAttribute('href');
    if (!to || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const field = to[0] === '#' && this.shadowRoot.getElementById(to.slice(1));
    if (!field && link.dataset.ask === undefined) return;
    event.preventDefault();
    if (field) return field.focus();
    this.ask(to);
  }

  ask(path) {
    const form = /** @type {HTMLFormElement} */ (this.box.querySelector('#ask'));
    if (form) setBusy(form, form.dataset.busy);
    this.asked = path;
    this.load(this.url(path), {});
  }

  send(event) {
    event.preventDefault();
    const form = event.target;
    const data = new FormData(form);
    const path = form.getAttribute('action');
    if (form.method === 'get') return this.ask(`${path}?${fieldsOf(data)}`);
    setBusy(form, form.dataset.busy);
    for (const [name, value] of notes()) data.set(name, value);
    const kind = path.startsWith('/forms/partner') ? 'partner' : 'diagnostic';
    data.set('_next', String(this.url(`/forms/thanks?of=${kind}`)));
    this.load(this.url(path), { method: 'POST', body: fieldsOf(data) });
  }

  /** Says it to the visitor in the form, else by the link; to the developer in the console; to the page by an event. */
  async fail(error, url) {
    const form = this.box.querySelector('[aria-busy=true]')?.closest('form');
    if (form) {
      setBusy(form);
      form.parentElement.querySelector('.lost')?.remove();
      const words =
        error.status || error.name === 'TimeoutError' ? form.dataset.unavailable : form.dataset.offline;
      const line = Object.assign(document.createElement('p'), {
        className: 'error lost',
        textContent: words,
      });
      line.setAttribute('role', 'alert');
      form.after(line);
    } else if (!this.box.isConnected && this.childNodes.length === 0) {
      this.append(
        Object.assign(document.createElement('a'), {
          href: url ?? server.url,
          textContent: new URL(server.url).host,
        }),
      );
    }
    this.tell('failed', { status: error.status, reason: error.message });
    console.error(
      `<${this.localName}>: ${error.message}.${error.name === 'TypeError' ? await this.reason() : ''}`,
    );
  }

  /** A browser tells a refused origin and a dead server alike; any page may read the empty box. */
  reason() {
    return fetch(server.url + PATHS.ask, { credentials: 'omit' }).then(
      () => ` Forms need ${location.origin} in ALLOWED_ORIGINS of ${server.url}.`,
      () => ` ${server.url} does not answer.`,
    );
  }

  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(`aval:${name}`, { detail, bubbles: true }));
  }
}

const PATHS = { ask: '/forms/ask', diagnostic: '/forms/diagnostic', partner: '/forms/partner' };

/** A second script of the same kind finds its elements defined. */
for (const name of ['aval-ask', 'aval-form'])
  if (!customElements.get(name)) customElements.define(name, class extends Embed {});
