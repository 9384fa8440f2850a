import { FILES } from './client/files.ts';

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
export const EMBED: Assets = {
  style: styleOf('base.css', 'embed.css').replace(/([\d.]+)rem/g, (_, size) => `${size * 16}px`),
  script: scriptOf('lively.js', 'embed.js'),
};

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
