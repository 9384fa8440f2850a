import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { loadBrand } from '../../brand/load-brand.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { codeOf, makePrivateDirectory, writeWhole } from '../../config/private-files.ts';
import { MailError } from '../../mail/mailer.ts';
import { configuredMailer } from '../../submissions/submissions.ts';
import type { ExitCode, Output } from '../terminal/output.ts';

/** One thing that can be wrong with an installation: `undefined` is well, a text is what is not, with the fix. */
interface Check {
  readonly name: string;
  readonly examine: (config: Config) => Promise<Finding>;
}

interface Finding {
  readonly state: 'ok' | 'note' | 'fault';
  readonly says: string;
}

const CHECKS: readonly Check[] = [
  { name: 'profile', examine: profile },
  { name: 'data directory', examine: dataDirectory },
  { name: 'mail', examine: mail },
  { name: 'base URL', examine: baseUrl },
  { name: 'proxy headers', examine: proxies },
  { name: 'clock', examine: clock },
];

/** `aval doctor`: what an installation needs, looked at from inside. 1 when something is at fault. */
export async function doctor(environment: NodeJS.ProcessEnv, { stdout }: Output): Promise<ExitCode> {
  const config = readConfig(environment);
  stdout.write(
    line('configuration', { state: 'ok', says: config.production ? 'production' : 'development: mail is a dry run' }),
  );
  let faults = 0;
  for (const { name, examine } of CHECKS) {
    const finding = await examine(config).catch(fault);
    if (finding.state === 'fault') faults += 1;
    stdout.write(line(name, finding));
  }
  return faults > 0 ? 1 : 0;
}

const line = (name: string, { state, says }: Finding) => `${state.padEnd(5)}  ${name.padEnd(14)}  ${says}\n`;
const ok = (says: string): Finding => ({ state: 'ok', says });
const note = (says: string): Finding => ({ state: 'note', says });
const fault = (error: unknown): Finding => ({
  state: 'fault',
  says: (error instanceof Error ? error.message : String(error)).replaceAll('\n', '\n'.padEnd(24)),
});

async function profile(config: Config): Promise<Finding> {
  const warnings: unknown[] = [];
  const brand = await loadBrand(config, (level, _, fields) => level === 'warn' && warnings.push(fields?.warning));
  const says = `${brand.name}, ${brand.profile.claims.length} claims, until ${brand.profile.expires_at}`;
  return warnings.length > 0 ? note(`${says}; ${warnings.join('; ')}`) : ok(says);
}

async function dataDirectory({ dataDirectory: directory }: Config): Promise<Finding> {
  try {
    await makePrivateDirectory(directory);
    const probe = await mkdtemp(join(directory, 'doctor-'));
    await writeWhole(join(probe, 'probe'), 'x').finally(() => rm(probe, { recursive: true }));
    return ok(`${directory} can be written to`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(
      `${directory} cannot be written to (${code}): give this user the directory, or set another DATA_DIR`,
    );
  }
}

async function mail(config: Config): Promise<Finding> {
  const mailer = await configuredMailer(config.mail);
  if (!mailer)
    return note('none is configured: submissions become files; set MAILGUN_API_KEY and MAILGUN_DOMAIN, or SMTP_URL');
  try {
    await mailer.verify();
    return ok(`${mailer.name} accepts the login`);
  } catch (error) {
    const { kind, code } = error instanceof MailError ? error : new MailError('ambiguous', 'unknown');
    const fix =
      kind === 'configuration' ? 'check key, domain, user and password' : 'check address and network, then try again';
    throw new Error(`${mailer.name} refuses (${code}): ${fix}`);
  }
}

async function baseUrl({ baseUrl: url, production }: Config): Promise<Finding> {
  if (url === undefined) {
    if (production) throw new Error('BASE_URL is not set: every published link would name a loopback address');
    return note('not set: documents name the address that is listened on');
  }
  if (production && url.startsWith('http:')) return note(`${url} is not https`);
  const { statusCode, headers } = await answerOf(`${url}/api/v1/status`, 'GET').catch(error => {
    throw new Error(
      `${url} does not answer (${codeOf(error)}): start the server, and check DNS, firewall and the proxy in front of it`,
    );
  });
  if (statusCode !== 200 || headers['api-version'] === undefined) {
    throw new Error(`${url}/api/v1/status answers ${statusCode}, not as this service: check the proxy's routes`);
  }
  return ok(`${url} reaches this service`);
}

async function proxies({ proxies: { ranges, hops }, baseUrl: url }: Config): Promise<Finding> {
  if (ranges.length > 0 || hops > 0)
    return ok(ranges.length > 0 ? `trusts ${ranges.join(', ')}` : `trusts ${hops} hops`);
  if (url?.startsWith('https:')) {
    return note(
      'no proxy is trusted, yet https needs one in front: all visitors would share one limit; set TRUSTED_PROXIES or TRUSTED_HOPS',
    );
  }
  return ok('no proxy is trusted: clients are told apart by their address');
}

/** A wrong clock shifts signatures' dates and the promised hours. */
async function clock({ baseUrl: url }: Config): Promise<Finding> {
  const year = new Date().getUTCFullYear();
  if (year < 2026)
    throw new Error(`this machine says it is ${year}: set its clock (chrony, ntpd, timedatectl set-ntp true)`);
  if (url === undefined) return ok(new Date().toISOString());
  const answer = await answerOf(url, 'HEAD').catch(() => undefined);
  if (answer?.headers.date === undefined) return note(`not compared with ${url}, which tells no time`);
  const skewSeconds = Math.round((Date.now() - Date.parse(String(answer.headers.date))) / 1000);
  if (Math.abs(skewSeconds) > 60) throw new Error(`${skewSeconds} s away from ${url}: set the clock of one of them`);
  return ok(`within ${Math.abs(skewSeconds)} s of ${url}`);
}

async function answerOf(url: string, method: 'GET' | 'HEAD') {
  const { statusCode, headers, body } = await request(url, { method, headersTimeout: 5000, bodyTimeout: 5000 });
  await body.dump();
  return { statusCode, headers };
}
