import { embedSnippet } from '../../../discovery/look/embed.ts';
import { type Output, writeLines } from '../../../owner/terminal/output.ts';
import { readConfig } from '../../config/config.ts';

/** `aval embed`: the lines that put the question box and the forms on a page of another site. */
export function embed(environment: NodeJS.ProcessEnv, { stdout, stderr }: Output): void {
  const { baseUrl, allowedOrigins } = readConfig(environment);
  stdout.write(embedSnippet(baseUrl ?? 'https://acme.example'));
  const notes = [
    ...(baseUrl === undefined ? ['BASE_URL is not set: put the address of your server in place of acme.example'] : []),
    allowedOrigins.length > 0
      ? `the forms may be sent from ${allowedOrigins.join(', ')}`
      : 'the forms are refused until ALLOWED_ORIGINS names the origin of that page; the question box works anywhere',
    'with a Content-Security-Policy the page needs this server in script-src and connect-src; docs/website.md has more',
  ];
  writeLines(stderr, notes);
}
