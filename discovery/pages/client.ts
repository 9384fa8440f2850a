import type { Site } from '../documents/site.ts';
import { FILES } from './client/files.ts';
import { themeOf } from './theme.ts';

/** What every page brings along. */
export const PAGE = {
  style: textOf('base.css', 'page.css'),
  script: scriptOf('lively.js', 'page.js'),
};

/** `rem` is the page's around an element of /embed.js, so its sizes are in pixels. */
const EMBED = {
  style: textOf('embed.css', 'base.css').replace(/([\d.]+)rem/g, (_, size) => `${size * 16}px`),
  script: scriptOf('lively.js', 'embed.js'),
};

/** /embed.js: the question box and the forms as elements for the pages of other sites (client/embed.js), with address and style. */
export function embedScript({ baseUrl, profile }: Pick<Site, 'baseUrl' | 'profile'>): string {
  const server = { url: baseUrl, style: themeOf(profile?.colors).embed + EMBED.style };
  return EMBED.script.replace("{ url: '', style: '' }", () => JSON.stringify(server));
}

/** Modules one after the other, as one script: each imports only from those before it. */
function scriptOf(...names: readonly string[]): string {
  const text = textOf(...names)
    .replace(/^import [^;]+;\n/gm, '')
    .replace(/^export /gm, '');
  return `(()=>{\n${text}})();\n`;
}

/** Without indentation and comments: every page carries it. */
function textOf(...names: readonly string[]): string {
  const text = names.map(name => FILES.get(name) ?? '').join('');
  return text.replace(/\/\*.*?\*\/\n?/gs, '').replace(/^\s+/gm, '');
}
