import { limitRows } from '../../tools/policies.ts';
import { bullets, page } from './markdown.ts';
import { MCP_PATH } from './paths.ts';
import type { Site } from './site.ts';

/** auth.md: how an agent signs up. It does not have to. */
export function authMd({ baseUrl, policies, off }: Site): string {
  return page(
    '# auth.md: no authentication',
    'Nothing here needs an account, a key, a token or OAuth: every endpoint is public, the MCP server included. ' +
      'Send no credentials; they would be ignored.',
    '## Walkthrough',
    bullets([
      `Ask: GET ${baseUrl}/ask?q=… without any header.`,
      `Or connect an MCP client to ${baseUrl}${MCP_PATH} (Streamable HTTP) with authentication set to none.`,
      'There is no registration, no consent screen and nothing to revoke.',
    ]),
    '## Limits instead of keys',
    'Clients are told apart for these limits only:',
    bullets(limitRows(policies, off).map(({ scope, text }) => `${scope}: ${text}`)),
    'A refused request answers 429 with Retry-After in seconds.',
  );
}
