import { Marked } from 'marked';
import { agentsReference } from '../documents/agents-md.ts';
import type { Documents } from '../documents/document.ts';
import { startBlocks } from '../documents/sections.ts';
import type { Site } from '../documents/site.ts';
import { frame } from './frame.ts';
import { attributes, html, Markup } from './html.ts';

/**
 * AGENTS.md as a page, with a list of its sections. The opening is in the visitor's language, the rest in
 * English, as agents read it.
 */
export function docsPage(site: Site, documents: Documents): string {
  const { page, docs } = site.words;
  const opening = rendered([`## ${docs.title}`, ...startBlocks(site, docs)]);
  const reference = rendered(agentsReference(site, documents));
  const english = attributes({ lang: site.words.tag === 'en' ? undefined : 'en' });
  const main = html`<section class="list">
<div class="side">
<nav aria-label="${docs.contents}">
<ul class="jumps">
<li>${opening.links}</li>
<li class="eyebrow">${docs.reference}</li>
${reference.links.map(link => html`<li${english}>${link}</li>\n`)}</ul>
</nav>
</div>
<div class="text">
<h1>${page.agents}</h1>
<p class="lead">${docs.lead}</p>
${opening.content}
<p class="eyebrow">${docs.reference}</p>
<div class="text"${english}>
${reference.content}
</div>
</div>
</section>`;
  return frame(site, { title: page.agents, main, about: docs.lead, path: '/docs' });
}

/** Blocks of Markdown as HTML, and links to their headings of level 2. */
function rendered(blocks: readonly string[]): { content: Markup; links: Markup[] } {
  const tokens = MARKDOWN.lexer(blocks.join('\n\n'));
  const links = tokens.flatMap(token =>
    token.type === 'heading' && token.depth === 2
      ? [html`<a href="#${idOf(token.text)}">${token.text}</a>`]
      : [],
  );
  // Code and tables are wider than a phone, so they scroll, by keyboard too.
  const scrolling = MARKDOWN.parser(tokens)
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { content: new Markup(scrolling), links };
}

const idOf = (title: string) => title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

/** Markdown with text that a brand wrote: HTML and links such as `javascript:` stay text. */
const MARKDOWN = new Marked({
  tokenizer: { html: () => undefined, tag: () => undefined },
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = new Markup(this.parser.parseInline(tokens));
      if (!/^(?:https?:|mailto:|[#/])/i.test(href)) return content.text;
      return html`<a href="${href}">${content}</a>`.text;
    },
  },
});
