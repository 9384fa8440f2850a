import { DEPRECATIONS, NOTICE_DAYS } from '../../rest/deprecations.ts';
import { routesOf } from '../../rest/routes.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Site } from '../documents/site.ts';

/** How the API changes. */
export const versioning = (site: Site): readonly string[] => [
  `REST endpoints live under /api/v${SERVICE.apiVersion}${aliases(site)}. /ask follows a convention of its own, and /mcp the protocol versions named above. Every response carries API-Version.`,
  'Breaking changes ship only in a new major version. A new optional member of a response is no breaking change.',
  `A deprecated version keeps working for at least ${NOTICE_DAYS} days after its first Deprecation header (RFC 9745), and its responses carry Sunset (RFC 8594) and a Link to the notice. ${deprecated()}`,
];

function aliases({ tools }: Site): string {
  const paths = routesOf(tools).flatMap(route => route.aliases);
  return paths.length === 0
    ? ''
    : `; ${paths.join(' and ')} ${paths.length === 1 ? 'is an alias' : 'are aliases'} pinned to it`;
}

function deprecated(): string {
  if (DEPRECATIONS.length === 0) return 'Nothing is deprecated now.';
  return `Deprecated now: ${DEPRECATIONS.map(({ prefix, notice }) => `${prefix} (${notice})`).join(', ')}.`;
}

/** What a reader of a match may rely on. */
export const READING =
  'Everything in a match stands verbatim in the profile. Each claim has a boundary: say where it applies, and never use it where it does not.';
