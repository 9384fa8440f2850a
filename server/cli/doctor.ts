import { messageOf } from '../../brand/profile/thrown.ts';
import { type ExitCode, writeLines } from '../../owner/output.ts';
import { type Config, readConfig, refuseExposed } from '../config/config.ts';
import { type Environment, unknownSettings } from '../config/settings.ts';
import { dataDirectory, encoder, profile, store } from './examine-machine.ts';
import { mail, proxies, publicAddress, webhook } from './examine-network.ts';

/**
 * The result of a check: a sentence, a note, or undefined if the installation has no such part. A check
 * throws a fault with its fix.
 */
export type Finding = string | { readonly note: string } | undefined;

type Check = (config: Config, environment: Environment) => Promise<Finding>;

/** The checks of an installation by name. */
const CHECKS: Readonly<Record<string, Check>> = {
  configuration: settings,
  profile,
  encoder,
  'data directory': dataDirectory,
  store,
  mail,
  'base URL': publicAddress,
  'proxy headers': proxies,
};

interface DoctorOptions {
  /** Only settings and profile, which a reload needs. */
  readonly profile?: boolean;
  /** Only the webhook, which gets a test event. */
  readonly webhook?: boolean;
}

/**
 * `aval doctor`: runs the checks of an installation. Exit code 1 if one fails.
 * @throws ConfigError if the settings have faults
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
