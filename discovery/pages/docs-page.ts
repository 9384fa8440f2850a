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
  const sections: Section[] = [];
  const marked = markdownFor(sections);
  const opening = [`## ${docs.title}`, ...startBlocks(site, docs)];
  const parts = [opening, agentsReference(site, documents)].map(blocks => {
    const parsed = marked.parse(blocks.join('\n\n'), { async: false });
    // Code and tables are wider than a phone, so they scroll, by keyboard too.
    const scrolling = parsed
      .replaceAll('<pre>', '<pre tabindex="0">')
      .replaceAll('<table>', '<div class="scroll" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>');
    return new Markup(scrolling);
  });
  const english = attributes({ lang: site.words.tag === 'en' ? undefined : 'en' });
  const [first, ...others] = sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`);
  const main = html`<section class="list">
<div class="side">
<nav aria-label="${docs.contents}">
<ul class="jumps">
<li>${first}</li>
<li class="eyebrow">${docs.reference}</li>
${others.map(link => html`<li${english}>${link}</li>\n`)}</ul>
</nav>
</div>
<div class="text">
<h1>${page.agents}</h1>
<p class="lead">${docs.lead}</p>
${parts[0]}
<p class="eyebrow">${docs.reference}</p>
<div class="text"${english}>
${parts[1]}
</div>
</div>
</section>`;
  return frame(site, { title: page.agents, main, about: docs.lead, path: '/docs' });
}

interface Section {
  readonly id: string;
  readonly title: string;
}

/**
 * A Markdown parser for text that a brand wrote: HTML and links such as `javascript:` stay text.
 * @param sections receives the headings of level 2
 */
function markdownFor(sections: Section[]): Marked {
  return new Marked({
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      heading({ tokens, depth, text }) {
        const id = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');
        if (depth === 2) sections.push({ id, title: text });
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = new Markup(this.parser.parseInline(tokens));
        if (!/^(?:https?:|mailto:|[#/])/i.test(href)) return content.text;
        return html`<a href="${href}">${content}</a>`.text;
      },
    },
  });
}
