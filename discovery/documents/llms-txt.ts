import { routesOf, STATUS_PATH, type ToolRoute } from '../../rest/routes.ts';
import { BUCKETS } from '../../tools/policies.ts';
import { type Documents, MCP_PATH } from './document.ts';
import { exampleArguments } from './examples.ts';
import { acts, answerRules, submissionRules, trust, whenNotToUse, whenToUse } from './guidance.ts';
import { limitRows, limitText } from './limit-rows.ts';
import { bullets, documentLinks, page } from './markdown.ts';
import type { Site } from './site.ts';

/** llms.txt (llmstxt.org): a title, a summary, text without headings, then sections of links alone. */
export function llmsTxt(site: Site, documents: Documents): string {
  return page(
    `# ${site.serverInfo.title}`,
    `> ${oneLine(site.profile?.description ?? `Questions about ${site.brandName} are answered with claims of its brand profile.`)}`,
    'When to use this service:',
    bullets(whenToUse(site)),
    'When not to use it:',
    bullets(whenNotToUse(site)),
    `MCP server: ${site.baseUrl}${MCP_PATH} (Streamable HTTP, no authentication). Over HTTP: GET ${site.baseUrl}/ask?q=…. Limits:`,
    bullets(limitRows(site).map(({ scope, text }) => `${scope}: ${text}`)),
    'How to use an answer:',
    bullets(answerRules(site)),
    ...(acts(site) ? ['How to submit something for a person:', bullets(submissionRules(site))] : []),
    trust(site),
    '## Endpoints',
    bullets(endpoints(site)),
    '## Documents',
    bullets(documentLinks(site, documents, LLMS_PATH)),
  );
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** Those that can be opened: a link to a path that takes only POST would lead to an error. */
function endpoints(site: Site): string[] {
  const { baseUrl } = site;
  return [
    ...routesOf(site.tools).flatMap(route => questionLink(route, site)),
    `[MCP](${baseUrl}${MCP_PATH}): the server's descriptor with its tools and limits; POST speaks MCP`,
    `[Status](${baseUrl}${STATUS_PATH}): whether the service is up`,
  ];
}

/** An example question, for a tool that is asked by a link. */
function questionLink({ tool, path, input, bucket }: ToolRoute, site: Site): string[] {
  const example = exampleArguments(tool, site);
  if (input.from !== 'query' || !example) return [];
  const query = new URLSearchParams();
  for (const [parameter, argument] of Object.entries(input.parameters))
    query.set(parameter, String(example[argument]));
  const allowed = limitText(BUCKETS[bucket], site.policies);
  return [`[${tool.title}](${site.baseUrl}${path}?${query}): an example question; ${allowed}`];
}

export const LLMS_PATH = '/llms.txt';
