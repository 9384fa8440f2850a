import { type ExitCode, type Output, writeJson } from '../../owner/output.ts';
import { type Config, readConfig } from '../config/config.ts';
import { unknownSettings } from '../config/unknown-settings.ts';
import { type Finding, fault, note, ok } from './examination.ts';
import { dataDirectory, files, mail, profile, store } from './examine-machine.ts';
import { baseUrl, clock, mcp, proxies } from './examine-public.ts';

/** What can be wrong with an installation; `undefined`: it has none of it. */
const EXAMINATIONS: Readonly<Record<string, (config: Config) => Promise<Finding | undefined>>> = {
  // The first, which `--profile` examines alone.
  profile,
  files,
  'data directory': dataDirectory,
  store,
  mail,
  'base URL': baseUrl,
  MCP: mcp,
  'proxy headers': proxies,
  clock,
};

/**
 * `aval doctor`: what an installation needs, looked at from inside. 1 when something is at fault.
 * @throws ConfigError where the settings themselves cannot be used
 */
export async function doctor(
  { json = false, profile: profileAlone = false }: { readonly json?: boolean; readonly profile?: boolean },
  environment: NodeJS.ProcessEnv,
  { stdout }: Output,
): Promise<ExitCode> {
  const config = readConfig(environment);
  const findings: (Finding & { readonly name: string })[] = [];
  const found = (name: string, finding: Finding) => {
    findings.push({ name, ...finding });
    if (!json) stdout.write(`${finding.state.padEnd(5)}  ${name.padEnd(14)}  ${indented(finding.says)}\n`);
  };
  found('configuration', settings(config, unknownSettings(environment)));
  for (const [name, examine] of Object.entries(EXAMINATIONS).slice(0, profileAlone ? 1 : undefined)) {
    const finding = await examine(config).catch(fault);
    if (finding) found(name, finding);
  }
  if (json) writeJson(stdout, findings);
  return findings.some(({ state }) => state === 'fault') ? 1 : 0;
}

const indented = (says: string) => says.replaceAll('\n', '\n'.padEnd(24));

function settings({ production }: Config, warnings: readonly string[]): Finding {
  if (warnings.length > 0) return note(warnings.join('\n'));
  return ok(production ? 'production' : 'development: mail is a dry run');
}
