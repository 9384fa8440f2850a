import { createHash } from 'node:crypto';
import type { Site } from '../documents/site.ts';
import { FILES } from './client/files.ts';
import { brandColours } from './colours.ts';

export const STYLE_PATH = '/aval/page.css';
export const SCRIPT_PATH = '/aval/page.js';

const SCRIPT = scriptOf('copy.js', 'page.js');
const PAGE_STYLE = textOf('shared.css', 'claim.css', 'page.css', 'sections.css');

const EMBED_SCRIPT = scriptOf('copy.js', 'embed.js');
/** `rem` would be the size of the host page, so the element sets its own unit (client/embed.js). */
const EMBED_STYLE = textOf('embed.css', 'shared.css', 'claim.css').replace(
  /([\d.]+)rem/g,
  'calc($1*var(--rem))',
);

/** The style sheet of every page, with the brand's colours. */
export const pageStyle = ({ profile }: Pick<Site, 'profile'>): string =>
  colourRule(':root', profile?.colors) + PAGE_STYLE;

/** The script of every page. */
export const pageScript = (): string => SCRIPT;

/** /embed.js: the element `<aval-ask>` for other sites (client/embed.js), with server address and style. */
export function embedScript({ baseUrl, profile }: Pick<Site, 'baseUrl' | 'profile'>): string {
  const server = { url: baseUrl, style: colourRule('.aval', profile?.colors) + EMBED_STYLE };
  return EMBED_SCRIPT.replace("{ url: '', style: '' }", () => JSON.stringify(server));
}

/** Addresses of style and script, with a digest: no page is shown with an older style. */
export function assetLinks(site: Pick<Site, 'profile'>): { readonly style: string; readonly script: string } {
  return {
    style: `${STYLE_PATH}?${digest(pageStyle(site))}`,
    script: `${SCRIPT_PATH}?${digest(SCRIPT)}`,
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The brand's colours as custom properties of a style sheet. */
function colourRule(selector: string, colors: unknown): string {
  const { primary, onPrimary, link } = brandColours(colors);
  return `${selector}{--primary:${primary};--on-primary:${onPrimary};--brand-link:${link}}\n`;
}

/** Joins modules to one script. Each imports only from those before it. */
function scriptOf(...names: readonly string[]): string {
  const text = textOf(...names).replace(/^(import [^;]+;\n|export )/gm, '');
  return `(()=>{\n${text}})();\n`;
}

/** Files of client/ without indentation and comments. */
function textOf(...names: readonly string[]): string {
  const text = names.map(name => FILES.get(name) ?? '').join('');
  return text.replace(/\/\*.*?\*\/\n?/gs, '').replace(/^\s+/gm, '');
}
