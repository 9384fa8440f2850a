import { dateIn, figureIn, numberIn } from './figure.js';
import { elements } from './lively.js';

/**
 * Compares all that a page shows of a profile with the published profile, once the signature holds. The signature is read as
 * `aval verify` reads it: RFC 8785 bytes (members in order of their UTF-16 units, numbers and strings as JSON.stringify writes
 * them), detached JWS (RFC 7515, appendix F), checked by the browser's own WebCrypto. Who alters a page can alter this
 * script too: the command is the proof from outside.
 */
const isTranslated = () =>
  /translated-/.test(document.documentElement.className) ||
  document.querySelector('main font, [_msttexthash]') !== null ||
  document.documentElement.lang !== document.querySelector('main').dataset.lang;

document.addEventListener('click', async ({ target }) => {
  const button = /** @type {HTMLElement} */ (target);
  if (button.dataset?.check === undefined) return;
  const words = JSON.parse(button.dataset.check);
  const said = /** @type {HTMLElement} */ (button.parentElement.querySelector('[role=status]'));
  said.className = '';
  said.textContent = `${words.busy}…`;
  const found = await outcome(words).catch(error => (error.name === 'NotSupportedError' ? 'unable' : 'bad'));
  said.className = found === 'good' ? 'good' : 'error';
  said.textContent = typeof found === 'number' ? words.differs.replace('{}', String(found)) : words[found];
});

/** How the check ends: the name of its words, or how many parts differ. */
async function outcome(words) {
  for (const old of elements(document, '.was')) old.remove();
  for (const old of elements(document, '.differs')) old.classList.remove('differs');
  if (!crypto.subtle) return 'unable';
  const profile = await verifiedProfile();
  if (!profile) return 'bad';
  if (isTranslated()) return 'translated';
  const differing = [...differences(profile, words)];
  for (const { part, was } of differing) mark(part, was && `${words.was} «${was}»`);
  if (differing.length > 0) return differing.length;
  return Date.parse(profile.expires_at) <= Date.now() ? 'expired' : 'good';
}

function mark(part, note) {
  part.classList.add('differs');
  if (note) part.append(Object.assign(document.createElement('span'), { className: 'error was', textContent: note }));
}

/** Every part of the page that is not as the profile says, with what the profile says. */
function* differences(profile, words) {
  for (const box of elements(document, '[data-claim]')) {
    const claim = profile.claims.find(({ claim_id }) => claim_id === box.dataset.claim);
    if (claim) yield* claimDifferences(box, expectedOf(profile, claim, words), { profile, words });
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
  const rows = [
    ['statement', statement],
    ['boundary.applicable_for', boundary.applicable_for],
    ['boundary.not_applicable_for', boundary.not_applicable_for],
    ['confidence', confidence === 'low' ? words.low : undefined],
    ...['n', 'window', 'baseline'].map(name => [`metric.${name}`, own(metric?.[name])]),
    ...proofs.flatMap(proof => [
      ...['title', 'summary', 'client', 'verifiable_by'].map(name => [`${proof.proof_id}.${name}`, proof[name]]),
      [`${proof.proof_id}.confidentiality`, words.disclosure[proof.confidentiality]],
    ]),
  ];
  const expected = new Map(rows.filter(([, text]) => text !== undefined));
  if (!metric) return { expected, figure: undefined };
  const { figure, unit } = figureIn(profile.language, metric);
  return { expected, figure: `${figure} ${unit}`.trim() };
}

/** Spaces of one width: two versions of a browser's tables differ in them. */
const spaced = text => text.replace(/\s+/g, ' ').trim();

function* claimDifferences(box, { expected, figure }, { profile, words }) {
  const missing = new Map(expected);
  for (const part of elements(box, '[data-of]')) {
    const name = part.dataset.of;
    const was = name === 'figure' ? figure : missing.get(name);
    missing.delete(name);
    if (was === undefined || spaced(part.textContent) !== spaced(was) || !isLabelled(part, words))
      yield { part, was: was ?? '–' };
    else if (
      !isSpoken(part, profile) ||
      elements(part, 'a').some(link => link.getAttribute('href') !== link.textContent)
    )
      yield { part };
  }
  for (const was of missing.values()) yield { part: box, was };
  for (const part of strangers(box, words)) yield { part };
}

/** Whether the label over a part is the one for it: under the other one it would say the opposite. */
function isLabelled(part, words) {
  const label = part.localName === 'dd' ? part.parentElement.querySelector('dt') : undefined;
  return (
    label === undefined || label?.textContent === words.labels[part.dataset.of.replace(/^.*\.(?=client|verif)/, '')]
  );
}

/** Whether a part is marked with the language of the profile; our own words are in the page's. */
function isSpoken(part, profile) {
  if (/confiden/.test(part.dataset.of)) return true;
  const [own] = profile.language.split('-');
  return part.closest('[lang]').lang.split('-')[0] === own;
}

/** Whatever has words in a claim's box that are neither the profile's nor ours. */
function strangers(box, { labels, others }) {
  const known = new Set([...Object.values(labels), ...others].map(text => text.replace(/\d+/g, '#')));
  return [box, ...elements(box, '*')].filter(one => {
    if (one.closest('[data-of],[role=status]')) return false;
    const own = [...one.childNodes]
      .filter(node => node.nodeType === Node.TEXT_NODE)
      .map(node => spaced(node.textContent));
    return own.some(text => text !== '' && !known.has(text.replace(/\d+/g, '#')));
  });
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

const KINDS = { 'P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }, Ed25519: { name: 'Ed25519' } };

const published = async name => (await fetch(`/.well-known/${name}`)).json();

/** @returns the published profile; nothing where no signature of it holds */
async function verifiedProfile() {
  const [{ signatures, ...profile }, { keys }] = await Promise.all([published('brand.json'), published('jwks.json')]);
  const payload = encoded(bytes(canonical(profile)));
  for (const { protected: header, signature } of signatures) {
    const { kid } = JSON.parse(new TextDecoder().decode(decoded(header)));
    const { kty, crv, x, y } = keys.find(key => key.kid === kid) ?? {};
    if (!KINDS[crv]) continue;
    const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, KINDS[crv], false, ['verify']);
    if (await crypto.subtle.verify(KINDS[crv], key, decoded(signature), bytes(`${header}.${payload}`))) return profile;
  }
  return undefined;
}
