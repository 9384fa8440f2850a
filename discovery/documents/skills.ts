import { createHash } from 'node:crypto';
import { TOOLS } from '../../tools/index.ts';
import type { Tool } from '../../tools/tool.ts';
import { jsonDocument, type PublishedDocument } from './document.ts';
import { serverSentence } from './guidance.ts';
import { page } from './markdown.ts';
import { sections } from './sections.ts';
import type { Site } from './site.ts';

/** The index of skills, each with the digest of its bytes (Agent Skills Discovery 0.2.0). */
export function skillsIndex(site: Site): string {
  return jsonDocument({
    // Clients compare this address; they do not fetch it.
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
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
  listing: { title: `Skill ${tool.name}`, note: `when and how to use ${tool.name}` },
}));

/** SKILL.md of a tool. The description is quoted as JSON, which YAML reads too. */
function skill(tool: Tool, site: Site): string {
  const { title, description } = tool;
  const front = ['---', `name: ${skillName(tool)}`, `description: ${JSON.stringify(description)}`, '---'];
  const toolSite = { ...site, tools: [tool] };
  return page(
    front.join('\n'),
    `# ${title}`,
    serverSentence(site),
    ...sections(toolSite, 'answers', 'submissions', 'mcp', 'http', 'limits', 'errors', 'trust'),
  );
}

/** Skill names have no underscore (agentskills.io). */
function skillName({ name }: Tool): string {
  return name.replaceAll('_', '-');
}

function skillPath(tool: Tool): string {
  return `/.well-known/agent-skills/${skillName(tool)}/SKILL.md`;
}
