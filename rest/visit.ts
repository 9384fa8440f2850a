import type { IncomingMessage } from 'node:http';
import { accepts, prefers } from './request.ts';

/** What a request says of the person behind the browser. */
export interface Visit {
  /** `?lang=`; null where there is none. */
  readonly lang: string | null;
  readonly acceptLanguage: string | undefined;
  /** An element of /embed.js wants the part of the page that it shows. */
  readonly isFragment: boolean;
  readonly acceptsGzip: boolean;
}

/** A browser that navigates names text/html and not JSON; `*\/*` is a program. */
export const isVisit = ({ headers }: IncomingMessage): boolean =>
  prefers(headers.accept, 'text/html', 'application/json');

/** `lang` by hand: a tag in old letters elsewhere in the query is no reason to refuse a page. */
export function visitOf({ url = '', headers }: IncomingMessage): Visit {
  return {
    lang: /[?&]lang=([a-z-]{2,35})/i.exec(url)?.[1] ?? null,
    acceptLanguage: headers['accept-language'],
    isFragment: headers.accept === 'text/html;fragment=1',
    acceptsGzip: accepts(headers['accept-encoding'], 'gzip'),
  };
}
