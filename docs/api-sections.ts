import { fileURLToPath } from 'node:url';
import { askExamples } from '../discovery/documents/examples.ts';
import { errorRules, limitRows, limitRules } from '../discovery/documents/guidance.ts';
import { bullets } from '../discovery/documents/markdown.ts';
import { endpointTable } from '../discovery/documents/sections.ts';
import { createSite, type Site } from '../discovery/documents/site.ts';
import { DOCUMENTS } from '../discovery/index.ts';
import { STATUS } from '../rest/response.ts';
import { readConfig } from '../server/config/config.ts';
import { loadBrand } from '../server/run/load-brand.ts';
import { ERROR_CODES } from '../tools/errors.ts';
import { TOOLS } from '../tools/index.ts';
import { POLICIES } from '../tools/policies.ts';
import { RPC_MEANINGS } from '../tools/protocol.ts';

/** A server with the example brand and the default limits. */
const SITE = await exampleSite();

/** The generated sections of docs/api.md and docs/mcp.md. */
export const API_SECTIONS: Readonly<Record<string, () => string>> = {
  api: () => endpointTable(SITE),
  fields: allFields,
  limits: () =>
    bullets(
      grouped(limitRows(SITE).map(({ scope, text, policy }) => [`\`${policy}\`: ${text}`, scope])).map(
        ([limit, scopes]) => `${limit}: ${scopes.join('; ')}`,
      ),
    ),
  'limit-rules': () => bullets(limitRules(SITE)),
  errors: () =>
    bullets(
      grouped(ERROR_CODES.map(code => [`${STATUS[code]}`, `\`${code}\``])).map(
        ([status, codes]) => `${status}: ${codes.join(', ')}`,
      ),
    ),
  'mcp-codes': () => bullets(RPC_MEANINGS.map(([code, meaning]) => `${code}: ${meaning}`)),
  'error-rules': () => bullets(errorRules(SITE)),
  published: () =>
    bullets(
      DOCUMENTS.flatMap(({ path, listing, tool }) =>
        listing && tool === undefined ? [`\`${path}\`: ${listing.note}`] : [],
      ),
    ),
};

/** The fields of all tools, once where several tools have the same. Every tool requires all of its fields. */
function allFields(): string {
  const rows = TOOLS.map(tool => tool.listing()).flatMap(({ name, inputSchema }) =>
    Object.entries(inputSchema.properties).map(
      ([field, { description }]) => [`\`${field}\`\n${withoutExample(description)}`, `\`${name}\``] as const,
    ),
  );
  return bullets(
    grouped(rows).map(([row, names]) => {
      const [field = '', rule = ''] = row.split('\n');
      return `${field}, ${names.length > 1 ? 'both actions' : names[0]}: ${rule}`;
    }),
  );
}

/** The examples are for agents, in `tools/list`; the form shows them too. */
const withoutExample = (description: unknown) => `${description}`.replace(/ Example: .*/, '');

/** What is alike once, with all that it holds for. */
function grouped(pairs: readonly (readonly [what: string, of: string])[]): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const [what, of] of pairs) groups.set(what, [...(groups.get(what) ?? []), of]);
  return [...groups];
}

async function exampleSite(): Promise<Site> {
  const file = (name: string) => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
  const config = readConfig({
    BRAND_FILE: file('brand.json'),
    BRAND_JWKS: file('brand.jwks.json'),
  });
  const brand = await loadBrand(config, () => {});
  return createSite({
    baseUrl: brand.profile.url,
    policies: POLICIES,
    publishing: { off: new Set(), securityContact: undefined },
    brand,
    examples: await askExamples(brand),
    mode: 'production',
    now: () => new Date(),
  });
}
