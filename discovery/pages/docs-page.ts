import { Marked, type Tokens } from 'marked';
import { agentsMd } from '../documents/agents-md.ts';
import type { Documents } from '../documents/document.ts';
import type { Site } from '../documents/site.ts';
import { frame } from './frame.ts';
import { html, Markup } from './html.ts';

/** AGENTS.md as a page, with a list of its sections. It is our own text, in English, and quotes the profile: HTML and foreign kinds of links stay text. */
export function docsPage(site: Site, documents: Documents): string {
  const { words, brandName } = site;
  const sections: Section[] = [];
  const body = new Markup(markdownFor(sections).parse(agentsMd(site, documents), { async: false }));
  const main = html`<section class="list">
<div class="side">
<nav aria-label="Contents">
<ul class="jumps">
${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul>
</nav>
</div>
<div class="text">
${body}
</div>
</section>`;
  const about = `${words.documents.reference.title}: ${brandName}`;
  return frame(site, {
    title: words.page.agents,
    main,
    about,
    path: '/docs',
    mainLanguage: 'en',
    isListed: true,
  });
}

interface Section {
  readonly id: string;
  readonly title: string;
}

/** @param sections gets the headings of the second level while the text is parsed */
function markdownFor(sections: Section[]): Marked {
  const marked = new Marked();
  marked.use({
    // Names and descriptions of a brand may hold anything: HTML in the text is shown as it is written.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        const id = idOf(text);
        if (depth === 2) sections.push({ id, title: text });
        return `<h${depth} id="${id}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = new Markup(this.parser.parseInline(tokens));
        if (!/^(?:https?:|mailto:|[#/])/i.test(href)) return content.text;
        return html`<a href="${href}">${content}</a>`.text;
      },
      code: ({ text }) => html`<pre tabindex="0"><code>${text}</code></pre>\n`.text,
      table(token) {
        return `<div class="scroll" tabindex="0">${tableOf(token, tokens => this.parser.parseInline(tokens))}</div>\n`;
      },
    },
  });
  return marked;
}

const idOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '-');

function tableOf({ header, rows }: Tokens.Table, inline: (tokens: Tokens.Generic[]) => string): string {
  const head = header.map(({ tokens }) => `<th scope="col">${inline(tokens)}</th>`).join('');
  const body = rows.map(
    row => `<tr>${row.map(({ tokens }) => `<td>${inline(tokens)}</td>`).join('')}</tr>\n`,
  );
  return `<table><thead><tr>${head}</tr></thead>\n<tbody>${body.join('')}</tbody></table>`;
}
