import { formRoutesOf, routesOf, STATUS_PATH } from '../../rest/routes.ts';
import { type Documents, MCP_PATH } from './document.ts';
import { exampleQuestion } from './examples.ts';
import { bullets, documentLinks, page } from './markdown.ts';
import { plainSections } from './sections.ts';
import type { Site } from './site.ts';

export const LLMS_PATH = '/llms.txt';

/** llms.txt (llmstxt.org): a title, a summary, text without headings, then sections of links alone. */
export function llmsTxt(site: Site, documents: Documents): string {
  const { baseUrl, brandName, profile, serverInfo } = site;
  const summary = profile?.description ?? `Questions about ${brandName} are answered from its brand profile.`;
  return page(
    `# ${serverInfo.title}`,
    `> ${summary.replace(/\s+/g, ' ')}`,
    `MCP server: ${baseUrl}${MCP_PATH} (Streamable HTTP, no authentication). Over HTTP: GET ` +
      `${baseUrl}/ask?q=….`,
    ...plainSections(site, 'when', 'answers', 'submissions', 'limits', 'trust'),
    '## Endpoints',
    bullets(endpointLinks(site)),
    '## Documents',
    bullets(documentLinks(site, documents, LLMS_PATH)),
  );
}

/** Links to endpoints that answer GET. A path that takes only POST is named in the text beside its form. */
function endpointLinks(site: Site): string[] {
  const { baseUrl, brandName, tools } = site;
  const query = encodeURIComponent(exampleQuestion(site, brandName));
  const forms = formRoutesOf(tools).map(({ path, tool }) => {
    const [api] = routesOf([tool]);
    return `[${tool.title}](${baseUrl}${path}): the form for people; programs: POST ${baseUrl}${api?.path}`;
  });
  return [
    `[Ask](${baseUrl}/ask?q=${query}): GET with q, or POST with {"query": "…"}`,
    ...forms,
    `[MCP](${baseUrl}${MCP_PATH}): the server's descriptor with its tools and limits; POST speaks MCP`,
    `[Status](${baseUrl}${STATUS_PATH}): whether the service is up`,
  ];
}
