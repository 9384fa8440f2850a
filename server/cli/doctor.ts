import { messageOf } from '../../brand/profile/thrown.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { type Config, readConfig, refuseExposed } from '../config/config.ts';
import { type Environment, unknownSettings } from '../config/settings.ts';
import { dataDirectory, encoder, files, profile, store } from './examine-machine.ts';
import { mail, proxies, publicAddress, webhook } from './examine-network.ts';

/**
 * What is fine, or worth knowing; `undefined`: an installation has none of it. What is at fault is thrown,
 * with the fix.
 */
export type Finding = string | { readonly note: string } | undefined;

type Check = (config: Config, environment: Environment) => Promise<Finding>;

/** What can be wrong with an installation. */
const CHECKS: Readonly<Record<string, Check>> = {
  configuration: settings,
  profile,
  encoder,
  files,
  'data directory': dataDirectory,
  store,
  mail,
  'base URL': publicAddress,
  'proxy headers': proxies,
};

interface DoctorOptions {
  /** What a reload needs: settings and profile. */
  readonly profile?: boolean;
  /** The webhook, which gets a test. */
  readonly webhook?: boolean;
}

/**
 * `aval doctor`: what an installation needs, looked at from inside. 1 when something is at fault.
 * @throws ConfigError where the settings themselves cannot be used
 */
export async function doctor(options: DoctorOptions, environment: Environment): Promise<ExitCode> {
  const config = readConfig(environment);
  let checks = CHECKS;
  if (options.profile) checks = { configuration: settings, profile };
  if (options.webhook) checks = { webhook };
  let isFaulty = false;
  for (const [name, check] of Object.entries(checks)) {
    try {
      const finding = await check(config, environment);
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
