import { fileURLToPath } from 'node:url';
import type { Feature } from '../../discovery/documents/site.ts';
import { ownCommand } from '../../owner/own-command.ts';
import { SERVICE } from '../../tools/service-facts.ts';
import type { Config } from '../config/config.ts';

/** The built program: outside the clone `npx aval` would run a stranger's. */
const COMMAND = ownCommand({
  script: fileURLToPath(import.meta.resolve('#package/dist/server/cli.js')),
  nodeOptions: [],
}).here;

/** What a person at a terminal wants to know of a server that has just started. */
export function banner(
  config: Config,
  {
    url,
    brand,
    answeredBy,
  }: { readonly url: string; readonly brand: string | undefined; readonly answeredBy: string | undefined },
): string {
  const base = config.baseUrl ?? url;
  const page = (feature: Feature, path: string) => (config.publishing.off.has(feature) ? undefined : `${base}${path}`);
  const rows: readonly (readonly [name: string, says: string | undefined])[] = [
    ['brand', brandRow(config, brand)],
    ['answers', answeredBy],
    ['page', page('home', '/')],
    ['docs', page('docs', '/docs')],
    ['MCP', `${base}/mcp`],
    ['mail', mailRow(config)],
    ['try', `curl -s --get ${url}/ask --data-urlencode 'q=precio'`],
    ['connect', `${COMMAND} client-config --for claude --url ${base}`],
    ['stop', 'Ctrl+C'],
  ];
  const lines = rows.flatMap(([name, says]) => (says === undefined ? [] : `  ${name.padEnd(9)}${says}`));
  return `\n${SERVICE.title} ${SERVICE.version}\n\n${lines.join('\n')}\n\n`;
}

function brandRow({ isExample }: Config, brand: string | undefined): string {
  if (brand === undefined) return 'none: questions are answered with 503';
  return isExample ? `${brand}, the bundled example; BRAND_FILE names your own` : brand;
}

function mailRow({ production, mail, dataDirectory }: Config): string {
  if (!production) return `dry run: files in ${dataDirectory}`;
  return `to ${mail.to} through ${mail.mailgun ? 'Mailgun' : 'SMTP'}`;
}
