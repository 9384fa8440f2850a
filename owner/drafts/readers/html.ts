import { linkedData } from './linked-data.ts';
import { readMarkup } from './markup.ts';
import { type About, type Answered, type Block, MAX_BLOCKS, oneLine, type Reading } from './reading.ts';

/** Elements whose text no visitor reads, or that every page repeats. */
const SKIPPED = new Set(
  'script style noscript template svg math iframe object canvas nav form select button textarea audio video'.split(' '),
);

/** Elements that end a line of text. */
const BLOCKS = new Set(
  'address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer header hr li main ol p pre section summary table tbody td th thead tr ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);

/** A term of a list or the summary of a fold asks where it is a question; what follows answers. */
const ASKING = new Set(['dt', 'summary', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

/** Reads a page, and the data in its scripts. @throws DraftError for one of more than 2,000 open elements */
export function readHtml(source: string, text: string): Reading {
  const page = new Page();
  readMarkup(source, text, page);
  const data = page.data.map(json => linkedData(source, json));
  const questions = [...data.flatMap(({ questions }) => questions), ...asked(page.blocks)];
  const about: About = Object.assign({}, page.about, ...data.map(({ about }) => about));
  return { source, blocks: page.blocks, questions, links: page.links, about };
}

class Page {
  readonly blocks: Block[] = [];
  readonly links: string[] = [];
  readonly data: string[] = [];
  about: About = {};
  #line = '';
  #skipping = 0;
  #skippedName = '';
  #asking = '';
  #title = false;
  #json: string | undefined;

  onopentag(name: string, attributes: Record<string, string>): void {
    if (name === 'html' && attributes.lang) this.about = { ...this.about, language: attributes.lang };
    if (name === 'meta') this.#meta(attributes);
    if (name === 'title') this.#title = true;
    if (name === 'script' && /^application\/ld\+json/i.test(attributes.type ?? '')) this.#json = '';
    if (this.#skipping > 0) {
      if (name === this.#skippedName) this.#skipping += 1;
      return;
    }
    const hidden = 'hidden' in attributes || attributes['aria-hidden'] === 'true';
    if ((SKIPPED.has(name) || hidden) && !VOID.has(name)) {
      [this.#skipping, this.#skippedName] = [1, name];
      this.#end();
      return;
    }
    if (name === 'a' && attributes.href && this.links.length < MAX_BLOCKS) this.links.push(attributes.href);
    if (!BLOCKS.has(name)) return;
    this.#end();
    if (ASKING.has(name)) this.#asking = name;
  }

  ontext(text: string): void {
    if (this.#json !== undefined) this.#json += text;
    else if (this.#skipping === 0 && !this.#title) this.#line += text;
  }

  onclosetag(name: string): void {
    if (name === 'title') this.#title = false;
    if (name === 'script' && this.#json !== undefined) {
      this.data.push(this.#json);
      this.#json = undefined;
    }
    if (this.#skipping > 0) {
      if (name === this.#skippedName) this.#skipping -= 1;
      return;
    }
    if (!BLOCKS.has(name)) return;
    this.#end();
    if (name === this.#asking) this.#asking = '';
  }

  onend(): void {
    this.#end();
  }

  #end(): void {
    const text = oneLine(this.#line);
    this.#line = '';
    if (text === '' || this.blocks.length >= MAX_BLOCKS) return;
    this.blocks.push({ kind: this.#asking === '' ? 'text' : 'heading', text });
  }

  #meta({ name = '', property = '', content = '' }: Record<string, string>): void {
    const text = oneLine(content);
    if (text === '') return;
    if (property === 'og:site_name') this.about = { ...this.about, name: text };
    if (name.toLowerCase() === 'description') this.about = { ...this.about, description: text };
  }
}

/** A sentence that ends as a question does, in the scripts that mark one. */
export const isQuestion = (text: string): boolean => /[?？؟]$/u.test(text);

/** Questions in headings, terms and folds, with the text up to the next heading. */
export function asked(blocks: readonly Block[]): Answered[] {
  const found: Answered[] = [];
  for (const [at, block] of blocks.entries()) {
    if (block.kind !== 'heading' || !isQuestion(block.text)) continue;
    const rest = blocks.slice(at + 1, at + 12);
    const end = rest.findIndex(({ kind }) => kind === 'heading');
    const answer = rest.slice(0, end < 0 ? undefined : end).map(({ text }) => text);
    if (answer.length > 0) found.push({ question: block.text, answer: answer.join('\n') });
  }
  return found;
}
