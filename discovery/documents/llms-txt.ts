import { formRoutesOf, routesOf, STATUS_PATH } from '../../rest/routes.ts';
import { BUCKETS, type Bucket } from '../../tools/policies.ts';
import { type Documents, MCP_PATH } from './document.ts';
import { exampleArguments } from './examples.ts';
import { answerRules, hasActions, submissionRules, trust, whenNotToUse, whenToUse } from './guidance.ts';
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
    ...(hasActions(site) ? ['How to submit something for a person:', bullets(submissionRules(site))] : []),
    trust(site),
    '## Endpoints',
    bullets(endpoints(site)),
    '## Documents',
    bullets(documentLinks(site, documents, LLMS_PATH)),
  );
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/** As links that can be opened; a path that takes only POST stands in the words beside its form. */
function endpoints(site: Site): string[] {
  const { baseUrl, tools, policies } = site;
  const limitOf = (bucket: Bucket) => limitText(bucket, policies);
  const forms = formRoutesOf(tools).map(({ path, tool, bucket }) => {
    const [api = ''] = routesOf([tool]).map(route => `${route.method} ${baseUrl}${route.path}`);
    return `[${tool.title}](${baseUrl}${path}): the form for people; programs: ${api}; ${limitOf(BUCKETS[bucket])}`;
  });
  return [
    `[Ask](${baseUrl}/ask?q=${encodeURIComponent(exampleQuestion(site))}): GET with q, or POST with {"query": "…"}; ${limitOf(BUCKETS.ask)}`,
    ...forms,
    `[MCP](${baseUrl}${MCP_PATH}): the server's descriptor with its tools and limits; POST speaks MCP`,
    `[Status](${baseUrl}${STATUS_PATH}): whether the service is up`,
  ];
}

/** The first question of the owner, else the name of the brand. */
function exampleQuestion(site: Site): string {
  const [ask] = site.tools;
  const query = ask && exampleArguments(ask, site)?.query;
  return typeof query === 'string' ? query : site.brandName;
}

export const LLMS_PATH = '/llms.txt';
