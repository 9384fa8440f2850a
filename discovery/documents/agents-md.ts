import { ROUTES } from '../../rest/routes.ts';
import { ERRORS } from '../../tools/errors.ts';
import { TOOLS } from '../../tools/index.ts';
import { limitRows } from '../../tools/policies.ts';
import { A2A_PATH, type Documents, MCP_PATH, targets } from './document.ts';
import { ANSWER_RULES, SUBMISSION_RULES, trust, WHEN_NOT_TO_USE, whenToUse } from './guidance.ts';
import { bullets, fieldTable, jsonBlock, page, table } from './markdown.ts';
import type { Site } from './site.ts';

/** AGENTS.md of the site: one page from which an agent can do all there is to do. */
export function agentsMd(site: Site, documents: Documents): string {
  const { baseUrl, brandName, policies, presentation, off } = site;
  const contract = targets(site, documents, '/openapi.json');
  return page(
    `# ${brandName}: for agents`,
    `Everything here is public: no authentication, no keys. ${contract.map(({ href }) => `The contract: ${href}`).join('')}`,
    '## When to use it',
    bullets([...whenToUse(site), ...WHEN_NOT_TO_USE.map(not => `not ${not}`)]),
    '## Connect over MCP',
    jsonBlock({ mcpServers: { [site.profile.id]: { type: 'http', url: `${baseUrl}${MCP_PATH}` } } }),
    ...TOOLS.flatMap(tool => [`### ${tool.name}`, tool.describe(presentation).description, fieldTable(tool)]),
    '## Or over HTTP',
    table(
      ['Method', 'Path', 'Same as'],
      [
        ...ROUTES.map(({ method, path, tool }) => [method, `\`${path}\``, `\`${tool.name}\``]),
        ...(off.has('a2a')
          ? []
          : [['POST', `\`${A2A_PATH}\``, 'A2A 1.0, read-only: a message in words is a question']]),
      ],
    ),
    '## Answering from claims',
    bullets(ANSWER_RULES),
    '## Submitting for a person',
    bullets(SUBMISSION_RULES),
    '## Limits',
    table(
      ['What', 'Limit', 'Policy'],
      limitRows(policies, off).map(row => [row.scope, row.text, row.policy]),
    ),
    'Every response carries RateLimit headers; a refused request carries Retry-After in seconds.',
    '## Errors',
    'Every error is JSON with `error`, `code` and `hint`; a failed validation lists `issues`.',
    table(
      ['Code', 'HTTP', 'What to do'],
      Object.entries(ERRORS).map(([code, { status, hint }]) => [`\`${code}\``, status, hint]),
    ),
    '## Trust',
    trust(site),
    '## More',
    bullets(
      documents.flatMap(({ path, listed }) => (listed ? [`[${listed.title}](${baseUrl}${path}): ${listed.note}`] : [])),
    ),
  );
}
