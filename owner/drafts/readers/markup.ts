import { type Handler, Parser } from 'htmlparser2';
import { DraftError } from './reading.ts';

/** The parser moves every open element for each that opens, so deeper pages would take minutes (htmlparser2 12.0: 10 s for 200,000). */
const MAX_DEPTH = 2000;

/**
 * Reads HTML or XML. The parser goes through it once, and nothing in it runs.
 * @throws DraftError for more than 2,000 open elements
 */
export function readMarkup(source: string, text: string, handler: Partial<Handler>, xmlMode = false): void {
  let depth = 0;
  const bounded: Partial<Handler> = {
    onopentag: (name, attributes, isImplied) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new DraftError(`${source}: is no page: more than 2000 elements stand in each other`);
      handler.onopentag?.(name, attributes, isImplied);
    },
    ontext: piece => handler.ontext?.(piece),
    onclosetag: (name, isImplied) => {
      depth -= 1;
      handler.onclosetag?.(name, isImplied);
    },
    onend: () => handler.onend?.(),
  };
  const parser = new Parser(bounded, { xmlMode });
  parser.write(text);
  parser.end();
}
