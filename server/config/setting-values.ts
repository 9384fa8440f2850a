import { resolve } from 'node:path';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { FEATURES, type Feature } from '../../discovery/documents/site.ts';
import { POLICIES, type Policies, type Policy, type PolicyName } from '../../tools/policies.ts';
import { readMailboxes, writeMailbox } from './mail-address.ts';

export const text = z.string();

/** A path. It is made absolute, so that messages about it say where it is. */
export const path = text.transform(value => resolve(value));

export const flag = z
  .enum(['0', '1'], { error: 'must be 0 or 1' })
  .transform(value => value === '1')
  .prefault('0');

/** NODE_ENV. A misspelt value would silently mean a dry run, so it is refused. */
export const production = z
  .enum(['production', 'development', 'test'], { error: 'must be production, development or test' })
  .transform(value => value === 'production')
  .prefault('development');

export function oneOf<const Names extends readonly string[]>(names: Names) {
  return z.enum(names, { error: `must be one of ${names.join(', ')}` });
}

export function whole(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error);
}

/** Mail addresses, separated by commas. */
function mailboxes(most: number) {
  return text.transform((value, context) => {
    const list = readMailboxes(value);
    if (list && list.length > 0 && list.length <= most) return list.map(writeMailbox).join(', ');
    context.addIssue('must be an address, for example "Acme, S.A." <hola@mg.acme.example>');
    return z.NEVER;
  });
}

export const address = mailboxes(1);

export const addresses = mailboxes(Number.POSITIVE_INFINITY);

export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
/** An unescaped / ? or # in a password ends the host early, so mail would go to another host. */
export const smtpUrl = text
  .refine(value => !/^[^:]+:\/\/[^/?#]*[/?#].*@/.test(value), {
    error: 'holds a user or password with / ? or # in it: write %2F %3F %23 instead (and %40 for @)',
    abort: true,
  })
  .pipe(z.url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' }));
export const webhookSecret = text.refine(value => {
  const [, base64 = ''] = /^whsec_([A-Za-z\d+/]+={0,2})$/.exec(value) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  return length >= 24 && length <= 64;
}, 'must be whsec_ and 24 to 64 bytes in base64');
export const databaseUrl = z.url({ protocol: /^postgres(ql)?$/, error: 'must be postgres://…' });
export const contact = z.url({ protocol: /^(https|mailto)$/, error: 'must be mailto:… or https://…' });

/** An http or https origin, as browsers write it. */
export const origin = text
  .refine(value => !value.includes('*'), {
    error: 'must name each origin, for example https://acme.example: there are no wildcards',
    abort: true,
  })
  .pipe(
    z.url({
      protocol: /^https?$/,
      error: 'must be an http or https address, for example https://acme.example',
      abort: true,
    }),
  )
  .refine(value => new URL(value).href === `${new URL(value).origin}/`, 'must be an origin, without a path')
  .transform(value => new URL(value).origin);

const list = text.default('').transform(value =>
  value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== ''),
);

/**
 * Desktop and mobile apps have schemes of their own: app://obsidian.md, vscode-webview://…,
 * tauri://localhost.
 */
const APP_ORIGIN = /^(?!https?:|file:|data:|javascript:)[a-z][a-z\d+.-]*:\/\/[\w.:-]+$/i;

/** `null` is the origin of files and of pages that hide theirs. */
const allowedOrigin = z.union(
  [z.literal('null'), text.regex(APP_ORIGIN, { abort: true }).toLowerCase(), origin],
  { error: 'must be an origin without a path, for example https://acme.example, or null; no wildcards' },
);

export const hosts = list.pipe(
  z.array(
    text
      .regex(
        // www.acme.example, aval:8787, españa.example, [::1]:8787
        /^[\p{L}\p{N}_.-]+(:\d{1,5})?$|^\[[\da-fA-F:]+\](:\d{1,5})?$/u,
        'must be host names as clients send them, for example aval:8787',
      )
      // Clients send lower case, and punycode for letters beyond ASCII.
      .transform(value => value.replace(/^[^:[]+/, domainToASCII)),
  ),
);

export const origins = list.pipe(z.array(allowedOrigin));

export const ranges = list.pipe(
  z.array(text.refine(value => ipaddr.isValidCIDR(value), 'must be CIDR ranges, for example 10.0.0.0/8')),
);

export const features = list
  .pipe(z.array(z.enum(FEATURES, { error: `must be of ${FEATURES.join(', ')}` })))
  .transform((names): ReadonlySet<Feature> => new Set(names));

/** The policies that an operator can change. The limit of an IPv6 /48 is ten times that of `submissions`. */
const LIMITED = ['default', 'submissions', 'actions', 'actions-service'] as const;

/** The default of LIMITS: `default=60/60,submissions=10/3600,…`. */
export const DEFAULT_LIMITS = LIMITED.map(policy => {
  const { quota, windowSeconds } = POLICIES[policy];
  return `${policy}=${quota}/${windowSeconds}`;
}).join(',');

/** One limit: `default=60/60`, `submissions=10/3600`, `actions-service=20/3600`. */
const LIMIT = new RegExp(`^(${LIMITED.join('|')})=([1-9]\\d{0,6})/([1-9]\\d{0,6})$`);

/** Limits by policy. A policy that is not named keeps its default. */
export const limits = list
  .pipe(
    z.array(
      text.regex(
        LIMIT,
        `must be POLICY=QUOTA/SECONDS, each number at most 9999999; the policies are ${LIMITED.join(', ')}`,
      ),
    ),
  )
  .transform((items): Policies => {
    const policies: Record<PolicyName, Policy> = { ...POLICIES };
    for (const item of items) {
      const [, policy, quota, windowSeconds] = LIMIT.exec(item) ?? [];
      const name = LIMITED.find(limited => limited === policy);
      if (name === undefined) continue;
      policies[name] = { ...policies[name], quota: Number(quota), windowSeconds: Number(windowSeconds) };
    }
    const { quota, windowSeconds } = policies.submissions;
    const network = { ...policies['submissions-network'], quota: 10 * quota, windowSeconds };
    return { ...policies, 'submissions-network': network };
  });
