import { createHash } from 'node:crypto';
import { TOOLS } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import { jsonDocument, type PublishedDocument } from './document.ts';
import { answerRules, IDEMPOTENCY, serverSentence, submissionRules, trust, usage } from './guidance.ts';
import { bullets, callGuide, errorTable, fieldTable, limitLines, page } from './markdown.ts';
import type { Site } from './site.ts';

/** Opaque: clients compare it as it stands (Agent Skills Discovery 0.2.0). */
const INDEX_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

/** The skills of a site with the digests of the very bytes that it serves. */
export function skillsIndex(site: Site): string {
  return jsonDocument({
    $schema: INDEX_SCHEMA,
    instructions: usage(site),
    skills: site.tools.map(tool => ({
      name: skillName(tool),
      type: 'skill-md',
      description: tool.description,
      url: skillPath(tool),
      digest: `sha256:${createHash('sha256').update(skill(tool, site)).digest('hex')}`,
    })),
  });
}

/** A row of DOCUMENTS for every tool. */
export const SKILLS: readonly PublishedDocument[] = TOOLS.map(tool => ({
  path: skillPath(tool),
  contentType: 'text/markdown; charset=utf-8',
  build: site => skill(site.tools.find(({ name }) => name === tool.name) ?? tool, site),
  tool: tool.name,
  listKey: 'skill',
}));

/**
 * SKILL.md of a tool. Its description is YAML and JSON at once, so that any text of a tool is read back as it
 * is.
 */
export function skill(tool: Tool, site: Site): string {
  const { title, description } = tool;
  const front = ['---', `name: ${skillName(tool)}`, `description: ${JSON.stringify(description)}`, '---'];
  return page(
    front.join('\n'),
    `# ${title}`,
    serverSentence(site),
    '## Rules',
    bullets(tool.submits ? submissionRules(site) : answerRules(site)),
    '## How to call it',
    ...callGuide(tool, site),
    '## Fields',
    fieldTable(tool),
    ...(tool.submits ? [IDEMPOTENCY] : []),
    '## Limits',
    bullets(limitLines(tool, site)),
    '## Errors',
    errorTable([...tool.errors, 'rate_limited']),
    '## Trust',
    trust(site),
  );
}

/** Skill names have no underscore (agentskills.io). */
function skillName({ name }: Tool): string {
  return name.replaceAll('_', '-');
}

function skillPath(tool: Tool): string {
  return `/.well-known/agent-skills/${skillName(tool)}/SKILL.md`;
}
