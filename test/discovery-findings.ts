import { AGENT_CARD, AI_CATALOG, API_CATALOG, SKILLS_INDEX } from './discovery-schemas.ts';
import { digestFaults, faultOf, linksOf, NO_SCHEMAS, ownFaults, schemaFaults, TYPES } from './discovery-support.ts';
import { bodyOf } from './support.ts';

/** One line of the check. */
export interface Finding {
  readonly what: string;
  readonly fault: string | undefined;
  readonly note?: string;
}

/** Every document with every link in it, each link followed once. */
export async function documentFindings(url: string): Promise<Finding[]> {
  const followed = new Map<string, string | undefined>();
  const findings: Finding[] = [];
  for (const [path, type] of Object.entries(TYPES)) {
    const response = await fetch(`${url}${path}`);
    const body = await response.text();
    const links = linksOf(`${url}${path}`, response, body);
    for (const link of links) {
      const key = JSON.stringify(link);
      if (!followed.has(key)) followed.set(key, await faultOf(link));
    }
    const broken = links.map(link => followed.get(JSON.stringify(link))).find(fault => fault !== undefined);
    const served = response.headers.get('content-type');
    const wrong = response.status === 200 && served === type ? undefined : `${response.status} ${served}`;
    findings.push({ what: path, fault: wrong ?? broken, note: `${body.length} characters, ${links.length} links` });
  }
  return findings;
}

/** The digests of the skills, recomputed. */
export async function digestFindings(url: string): Promise<Finding[]> {
  return [{ what: 'digests of the skills', fault: (await digestFaults(url)).join('; ') || undefined }];
}

const OWN = {
  '/.well-known/api-catalog': API_CATALOG,
  '/.well-known/ai-catalog.json': AI_CATALOG,
  '/.well-known/agent-skills/index.json': SKILLS_INDEX,
  '/.well-known/agent-card.json': AGENT_CARD,
};

const OTHERS = {
  '/mcp/server-card': 'mcp-server-card.schema.json',
  '/.well-known/mcp/server-card.json': 'mcp-server-card.schema.json',
  '/.well-known/ai-catalog.json': 'ard-ai-catalog.schema.json',
  '/.well-known/brand.json': 'adcp-brand.bundle.json',
};

/** The documents against the schemas that others wrote, and against ours where nobody did. */
export async function schemaFindings(url: string): Promise<Finding[]> {
  const json = async (path: string) => bodyOf(await fetch(`${url}${path}`));
  const findings: Finding[] = [];
  for (const [path, schema] of Object.entries(OWN))
    findings.push({ what: `schema of ${path}`, fault: ownFaults(schema, await json(path)) || undefined });
  if (NO_SCHEMAS) return [...findings, { what: 'schemas of others', fault: undefined, note: `skipped: ${NO_SCHEMAS}` }];
  for (const [path, file] of Object.entries(OTHERS))
    findings.push({ what: `${file} of ${path}`, fault: schemaFaults(file, await json(path)) || undefined });
  return findings;
}
