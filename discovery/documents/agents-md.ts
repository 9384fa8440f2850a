import { type Documents, targets } from './document.ts';
import { serverSentence } from './guidance.ts';
import { bullets, documentLinks, page } from './markdown.ts';
import { sections } from './sections.ts';
import type { Site } from './site.ts';

export const AGENTS_PATH = '/AGENTS.md';

/** AGENTS.md: everything that an agent needs to use the service, on one page. */
export function agentsMd(site: Site, documents: Documents): string {
  const [contract] = targets(site, documents, '/openapi.json');
  return page(
    `# ${site.serverInfo.title}: for agents`,
    serverSentence(site),
    'Everything here is public: no authentication, no ' +
      `keys.${contract ? ` The contract: ${contract.href}` : ''}`,
    ...sections(site, 'start'),
    ...agentsReference(site, documents),
  );
}

/** The part of AGENTS.md after its opening. /docs shows it too. */
export function agentsReference(site: Site, documents: Documents): string[] {
  return [
    ...sections(
      site,
      'when',
      'mcp',
      'http',
      'results',
      'answers',
      'submissions',
      'limits',
      'errors',
      'versions',
      'trust',
    ),
    '## More',
    bullets(documentLinks(site, documents, AGENTS_PATH)),
  ];
}
