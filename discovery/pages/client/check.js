import { dateIn, figureIn, numberIn } from './figure.js';
import { elements, parsePage } from './lively.js';

/**
 * Compares the claims of a page with the published profile, once the signature holds, and then the whole page with what the
 * server writes at this address now: of the order, the verdict and the words around the claims nobody signs anything. The signature is read as `aval verify`
 * reads it: RFC 8785 bytes (members in order of their UTF-16 units, numbers and strings as JSON.stringify writes them), detached
 * JWS (RFC 7515, appendix F), checked by the browser's own WebCrypto. Who alters a page can alter this script too, or what it
 * reads: the command is the proof from outside.
 */
const isTranslated = () =>
  /translated-/.test(document.documentElement.className) ||
  document.querySelector('main font, [_msttexthash]') !== null ||
  document.documentElement.lang !== document.querySelector('main').dataset.lang;

document.addEventListener('click', async ({ target }) => {
  const button = /** @type {HTMLElement} */ (target);
  if (button.dataset?.check === undefined) return;
  const words = wordsOn(button);
  const said = /** @type {HTMLElement} */ (
    button.parentElement.querySelector('[role=status]') ?? placed(button)
  );
  said.className = '';
  said.textContent = `${words.busy}…`;
  const { found, text } = await outcome(said, words).catch(({ name }) => told(words, FAULTS[name] ?? 'bad'));
  said.className = found === 'good' ? 'good' : 'error';
  said.textContent = text;
});

const FAULTS = { NotSupportedError: 'unable', NetworkError: 'unread' };

const told = (words, found, count = 0) => ({
  found,
  text: (words[found] ?? '✗').replace('{}', String(count)),
});

/** A page may have lost them. */
function wordsOn(button) {
  try {
    return JSON.parse(button.dataset.check);
  } catch {
    return { busy: '' };
  }
}

function placed(button) {
  const said = document.createElement('span');
  said.setAttribute('role', 'status');
  button.parentElement.append(said);
  return said;
}

/** How the check ends, in the words that the server has for it: the page's own may be others. */
async function outcome(said, ownWords) {
  if (!crypto.subtle || !document.body.checkVisibility) return told(ownWords, 'unable');
  const [profile, sent] = await Promise.all([
    verifiedProfile(),
    fetched(location.href, 'text/html').then(parsePage),
  ]);
  const words = wordsOn(sent.querySelector('[data-check]'));
  if (!profile) return told(words, 'bad');
  if (isTranslated()) return told(words, 'translated');
  const busy = said.textContent;
  said.textContent = '';
  unmark();
  const unsigned = [...differences(profile, words)];
  const unsent = [...changes(document, sent)];
  said.textContent = busy;
  for (const { part, was } of unsigned) mark(part, was && `${words.was} «${was}»`);
  for (const { part, was } of unsent)
    if (!part.closest('.differs')) mark(part, was && `${words.should} «${was}»`);
  if (unsigned.length === 0 && isRestyled(sent)) return told(words, 'restyled');
  const { length } = elements(document, '.differs');
  if (length > 0) return told(words, 'differs', length);
  return told(words, Date.parse(profile.expires_at) <= Date.now() ? 'expired' : 'good');
}

/** What the check wrote into the page: words of the page's own that look the same are not it. */
const notes = new Set();

function unmark() {
  for (const note of notes) note.remove();
  notes.clear();
  for (const old of elements(document, '.differs')) old.classList.remove('differs');
}

/** Marks a part, and opens what it is folded in. */
function mark(part, note) {
  part.classList.add('differs');
  for (let fold = part.closest('details'); fold; fold = fold.parentElement.closest('details'))
    fold.open = true;
  if (!note) return;
  const line = Object.assign(document.createElement('span'), { className: 'error was', textContent: note });
  notes.add(line);
  part.append(line);
}

/** Every part of the page that is not as the profile says, with what the profile says. */
function* differences(profile, words) {
  for (const box of elements(document, '[data-claim]')) {
    const claim = profile.claims.find(({ claim_id }) => claim_id === box.dataset.claim);
    if (claim) yield* claimDifferences(box, expectedOf(profile, claim, words));
    else yield { part: box, was: '–' };
  }
  for (const part of elements(document, '[data-of=description]'))
    if (!profile.description?.startsWith(part.textContent)) yield { part, was: profile.description };
  for (const part of elements(document, '[data-of=issued_at]')) {
    const date = dateIn(words.locale, profile.issued_at);
    if (part.textContent !== date) yield { part, was: date };
  }
}

/** What each part of a claim must say, by its `data-of`. */
function expectedOf(profile, { statement, boundary, metric, confidence, proof_ids }, words) {
  const own = value => (typeof value === 'number' ? numberIn(profile.language, value) : value);
  const proofs = proof_ids.map(id => profile.proofs.find(({ proof_id }) => proof_id === id));
  const { figure, unit } = metric ? figureIn(profile.language, metric) : {};
  const rows = [
    ['statement', statement],
    ['figure', metric && `${figure} ${unit}`],
    ['boundary.applicable_for', boundary.applicable_for],
    ['boundary.not_applicable_for', boundary.not_applicable_for],
    ['confidence', confidence === 'low' ? words.low : undefined],
    ...['n', 'window', 'baseline'].map(name => [`metric.${name}`, own(metric?.[name])]),
    ...proofs.flatMap(proof => [
      ...['title', 'summary', 'client', 'verifiable_by'].map(name => [
        `${proof.proof_id}.${name}`,
        proof[name],
      ]),
      [`${proof.proof_id}.confidentiality`, words.disclosure[proof.confidentiality]],
    ]),
  ];
  return new Map(rows.filter(([, text]) => text !== undefined));
}

/** Spaces of one width: two versions of a browser's tables differ in them. */
const spaced = text => text.replace(/\s+/g, ' ').trim();

function* claimDifferences(box, expected) {
  const missing = new Map(expected);
  for (const part of elements(box, '[data-of]')) {
    const was = missing.get(part.dataset.of);
    missing.delete(part.dataset.of);
    if (was === undefined || spaced(part.textContent) !== spaced(was)) yield { part, was: was ?? '–' };
  }
  // A figure shows only where the question asks for it.
  missing.delete('figure');
  for (const was of missing.values()) yield { part: box, was };
}

/** Every part of the page that the server writes otherwise, or not at all, with what it writes; and texts that have no place. */
function* changes(page, sent) {
  page.documentElement.normalize();
  const [mine, theirs] = [tidied(page), tidied(sent)];
  if (!mine.querySelector('.also')) withoutExamples(theirs);
  yield* changed(page.documentElement, mine, theirs);
  for (const part of elements(page, 'main *')) if (part.shadowRoot || isPlaceless(part)) yield { part };
}

/** A new server learns later which questions it offers under an answer. */
function withoutExamples(page) {
  const list = page.querySelector('.also');
  const around = list?.parentElement;
  list?.remove();
  if (around?.childElementCount === 0) around.remove();
}

/** A copy without what the visitor and the scripts of the page change. */
function tidied({ documentElement }) {
  const copy = documentElement.cloneNode(true);
  const drop = (css, ...names) => {
    for (const one of copy.querySelectorAll(css)) for (const name of names) one.removeAttribute(name);
  };
  for (const one of [copy, copy.querySelector('body')])
    for (const { name } of [...one.attributes])
      if (!/^(lang|dir|style|hidden)$/.test(name)) one.removeAttribute(name);
  for (const field of copy.querySelectorAll('input,textarea'))
    for (const { name } of [...field.attributes]) field.removeAttribute(name);
  drop('button', 'hidden', 'disabled', 'aria-busy', 'data-text');
  drop('details', 'open');
  drop('h1', 'tabindex');
  drop('[class=""]', 'class');
  if (/** @type {HTMLInputElement} */ (document.querySelector('#filter'))?.value)
    drop('.claim,.group', 'hidden');
  return copy;
}

/**
 * Compares the children of an element: those that are alike at both ends, then what is left in between.
 * @param at element of the page; `mine` is its copy
 */
function* changed(at, mine, theirs) {
  const sent = [...theirs.childNodes].map(copy => ({ node: copy, copy })).filter(isCompared);
  const isSent = one => sent.some(({ copy }) => copy.isEqualNode(one));
  const ours = [...at.childNodes]
    .map((node, place) => ({ node, copy: mine.childNodes[place] }))
    .filter(({ node, copy }) => isCompared({ node }) && (!isAside(node) || isSent(copy)));
  const isAlike = place => ours.length > 0 && sent.at(place)?.copy.isEqualNode(ours.at(place).copy);
  while (isAlike(0)) for (const list of [ours, sent]) list.shift();
  while (isAlike(-1)) for (const list of [ours, sent]) list.pop();
  const texts = sent.map(({ copy }) => copy.textContent);
  const was = abridged(texts.join(' ').trim());
  if (ours.length === 0 && sent.length > 0) yield { part: at, was };
  for (const [place, { node, copy }] of ours.entries()) {
    const other = ours.length === sent.length ? sent[place].copy : undefined;
    if (node.nodeType === Node.TEXT_NODE) yield { part: at, was };
    else if (other && copy.cloneNode().isEqualNode(other.cloneNode())) yield* changed(node, copy, other);
    else yield { part: node, was: copy.textContent === texts[place] ? '' : abridged(texts[place]) };
  }
}

const abridged = (text = '') => (text.length > 160 ? `${text.slice(0, 160)}…` : text);

function isCompared({ node }) {
  const isOutside = /^(html|body)$/.test(node.parentNode.localName);
  if (node.nodeType === Node.TEXT_NODE) return node.data.trim() !== '';
  return node.nodeType === Node.ELEMENT_NODE && !(isOutside && /^(head|script|style)$/.test(node.localName));
}

const PICTURES = 'img,svg,canvas,video,iframe,object,embed';

/** Whether it may be of a program of the browser, which adds what shows nothing, or stands beside what the page says. */
function isAside(node) {
  const isElsewhere =
    /^(html|body)$/.test(node.parentNode.localName) ||
    node.localName?.includes('-') ||
    node.parentNode.closest('form');
  if (node.nodeType !== Node.ELEMENT_NODE || !isElsewhere) return false;
  if (!node.checkVisibility() && !node.closest('details:not([open])')) return true;
  const all = [node, ...elements(node, '*')];
  return node.innerText.trim() === '' && !all.some(one => one.matches(PICTURES) || isOver(one));
}

/** Whether it lies over what the page says. */
function isOver(one) {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return elements(document, '.verdict,.claim,.further').some(said => {
    const box = said.getBoundingClientRect();
    return left < box.right && right > box.left && top < box.bottom && bottom > box.top;
  });
}

/** Whether it has words that no part of the window shows, opened or not. */
function isPlaceless(part) {
  const words = [...part.childNodes].find(
    node => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '',
  );
  if (!words || part.closest('details:not([open]),[hidden],textarea')) return false;
  const range = document.createRange();
  range.selectNode(words);
  return range.getClientRects().length === 0;
}

/** Whether the rules that the page is shown by are others than the server's. */
function isRestyled(sent) {
  const own = new CSSStyleSheet();
  own.replaceSync(sent.querySelector('style').textContent);
  const STYLES = 'style,link[rel~=stylesheet]';
  if (elements(document, STYLES).length !== elements(sent, STYLES).length) return true;
  const rules = sheets =>
    sheets.flatMap(({ cssRules }) => [...cssRules].map(({ cssText }) => cssText)).join();
  try {
    return rules([...document.styleSheets, ...document.adoptedStyleSheets]) !== rules([own]);
  } catch {
    return true; // a sheet of another site, which no script reads
  }
}

const bytes = text => new TextEncoder().encode(text);
const decoded = text =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), character => character.charCodeAt(0));
const encoded = data =>
  btoa(data.reduce((text, byte) => text + String.fromCharCode(byte), ''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (!value || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map(name => `${JSON.stringify(name)}:${canonical(value[name])}`)}}`;
}

const KINDS = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  Ed25519: { name: 'Ed25519' },
};

async function fetched(url, accept = 'application/json') {
  const response = await fetch(url, { headers: { accept } }).catch(() => undefined);
  if (!response?.ok) throw new DOMException(url, 'NetworkError');
  return response.text();
}

const published = async name => JSON.parse(await fetched(`/.well-known/${name}`));

/** @returns the published profile; nothing where no signature of it holds */
async function verifiedProfile() {
  const [{ signatures, ...profile }, { keys }] = await Promise.all([
    published('brand.json'),
    published('jwks.json'),
  ]);
  const payload = encoded(bytes(canonical(profile)));
  for (const { protected: header, signature } of signatures) {
    const { kid } = JSON.parse(new TextDecoder().decode(decoded(header)));
    const { kty, crv, x, y } = keys.find(key => key.kid === kid) ?? {};
    if (!KINDS[crv]) continue;
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, KINDS[crv], false, ['verify']);
    if (await crypto.subtle.verify(KINDS[crv], key, decoded(signature), bytes(`${header}.${payload}`)))
      return profile;
  }
  return undefined;
}
