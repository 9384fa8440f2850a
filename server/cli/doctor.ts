import { messageOf } from '../../brand/profile/thrown.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { type Config, type Environment, readConfig, refuseExposed } from '../config/config.ts';
import { unknownSettings } from '../config/unknown-settings.ts';
import { dataDirectory, encoder, files, mail, profile, store } from './examine-machine.ts';
import { baseUrl, clock, mcp, proxies } from './examine-public.ts';
import { webhook } from './examine-webhook.ts';

/**
 * What is fine, or worth knowing; `undefined`: an installation has none of it. What is at fault is thrown,
 * with the fix.
 */
type Finding = string | { readonly note: string } | undefined;

/** What can be wrong with an installation. `--profile` examines the first two alone. */
const EXAMINATIONS: Readonly<Record<string, (config: Config, environment: Environment) => Promise<Finding>>> =
  {
    configuration: settings,
    profile,
    encoder,
    files,
    'data directory': dataDirectory,
    store,
    mail,
    'base URL': baseUrl,
    MCP: mcp,
    'proxy headers': proxies,
    clock,
  };

interface DoctorOptions {
  readonly profile?: boolean;
  readonly webhook?: boolean;
}

/**
 * `aval doctor`: what an installation needs, looked at from inside. 1 when something is at fault.
 * @throws ConfigError where the settings themselves cannot be used
 */
export async function doctor(
  { profile: profileAlone = false, webhook: webhookAlone = false }: DoctorOptions,
  environment: Environment,
): Promise<ExitCode> {
  const config = readConfig(environment);
  let isFaulty = false;
  let examinations = Object.entries(EXAMINATIONS);
  if (profileAlone) examinations = examinations.slice(0, 2);
  if (webhookAlone) examinations = [['webhook', webhook]];
  for (const [name, examine] of examinations) {
    try {
      const finding = await examine(config, environment);
      if (typeof finding === 'string') writeFinding('ok', name, finding);
      else if (finding) writeFinding('note', name, finding.note);
    } catch (error) {
      isFaulty = true;
      writeFinding('fault', name, messageOf(error));
    }
  }
  return isFaulty ? 1 : 0;
}

function writeFinding(state: 'ok' | 'note' | 'fault', name: string, text: string): void {
  const indented = text.replaceAll('\n', '\n'.padEnd(24));
  writeLines(process.stdout, [`${state.padEnd(5)}  ${name.padEnd(14)}  ${indented}`]);
}

async function settings(config: Config, environment: Environment): Promise<Finding> {
  refuseExposed(config);
  const warnings = unknownSettings(environment);
  if (warnings.length > 0) return { note: warnings.join('\n') };
  return config.production ? 'production' : 'development: mail is a dry run';
}
