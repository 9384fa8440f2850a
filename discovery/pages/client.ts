import type { Site } from '../documents/site.ts';
import { FILES } from './client/files.ts';
import { themeOf } from './theme.ts';

/** What a kind of page brings along. */
export interface Assets {
  readonly style: string;
  readonly script: string;
}

export const PAGE: Assets = {
  style: styleOf('base.css', 'page.css'),
  script: scriptOf('lively.js', 'figure.js', 'check.js', 'page.js'),
};

export const DOCS: Assets = { style: styleOf('base.css', 'page.css', 'docs.css'), script: scriptOf('docs.js') };

/** `rem` is the page's around an element of /embed.js, so its sizes are in pixels. */
const EMBED: Assets = {
  style: styleOf('embed.css', 'base.css').replace(/([\d.]+)rem/g, (_, size) => `${size * 16}px`),
  script: scriptOf('lively.js', 'embed.js'),
};

/** /embed.js: the question box and the forms as elements for the pages of other sites (client/embed.js), with address and style. */
export function embedScript({ baseUrl, profile }: Pick<Site, 'baseUrl' | 'profile'>): string {
  const server = { url: baseUrl, style: themeOf(profile?.colors).embed + EMBED.style };
  return EMBED.script.replace('(()=>{', () => `(()=>{const server=${JSON.stringify(server)};`);
}

/** Modules one after the other, as one script: each imports only from those before it. */
function scriptOf(...names: readonly string[]): string {
  const text = names
    .map(textOf)
    .join('')
    .replace(/^import [^;]+;\n/gm, '')
    .replace(/^export /gm, '');
  return `(()=>{\n${text}})();\n`;
}

function styleOf(...names: readonly string[]): string {
  return names
    .map(textOf)
    .join('')
    .replace(/\n/g, '')
    .replace(/([:;,{}>]) /g, '$1')
    .replace(/ ([{>])/g, '$1')
    .replace(/([\s:(,])0\./g, '$1.')
    .replaceAll(';}', '}');
}

/** Without indentation and comments: every page carries it. */
function textOf(name: string): string {
  const text = FILES.get(name);
  if (text === undefined) throw new Error(`discovery/pages/client/${name} is missing`);
  return text.replace(/\/\*.*?\*\/\n?/gs, '').replace(/^\s+/gm, '');
}
