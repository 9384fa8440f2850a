import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { FEATURES, type Feature } from '../../discovery/documents/site.ts';

const list = z
  .string()
  .default('')
  .transform(value => value.split(',').map(item => item.trim()))
  .transform(items => items.filter(item => item !== ''));

export const flag = z.enum(['0', '1'], { error: 'must be 0 or 1' }).transform(value => value === '1');

export const whole = (min: number, max: number) =>
  z.coerce
    .number({ error: rule(min, max) })
    .int(rule(min, max))
    .min(min, rule(min, max))
    .max(max, rule(min, max));

const rule = (min: number, max: number) => `must be a whole number from ${min} to ${max}`;

export const limit = z
  .string()
  .regex(/^[1-9]\d{0,6}\/[1-9]\d{0,6}$/, 'must be QUOTA/SECONDS, for example 60/60')
  .transform(value => value.split('/').map(Number))
  .transform(([quota = 0, windowSeconds = 0]) => ({ quota, windowSeconds }));

export const optional = z.string().optional();

export const address = z
  .string()
  .regex(
    /^[^\s@<>]+@[^\s@<>,]+$|^[^<>@]+<[^\s@<>]+@[^\s@<>,]+>$/,
    'must be an address, for example Acme <hola@mg.acme.example>',
  );

export const smtpUrl = z.url({ protocol: /^smtps?$/, error: 'must be smtp://… or smtps://…' });

export const redisUrl = z.url({ protocol: /^rediss?$/, error: 'must be redis://… or rediss://…' });

export const secret = z.string().min(32, 'must have 32 characters or more: openssl rand -hex 32 prints a good one');

export const origin = z
  .url({
    protocol: /^https?$/,
    error: 'must be an http or https address, for example https://acme.example',
    abort: true,
  })
  .refine(value => new URL(value).pathname === '/' && !/[?#]/.test(value), 'must be an origin, without a path')
  .transform(value => new URL(value).origin);

export const origins = list.pipe(z.array(origin));
export const features = list
  .pipe(z.array(z.enum(FEATURES, { error: `must be of ${FEATURES.join(', ')}` })))
  .transform((names): ReadonlySet<Feature> => new Set(names));

export const contentSignal = z
  .string()
  .regex(
    /^(search|ai-input|ai-train)=(yes|no)(, *(search|ai-input|ai-train)=(yes|no))*$/,
    'must be of search=, ai-input= and ai-train=, each yes or no',
  );

export const contact = z.url({ protocol: /^(https|mailto)$/, error: 'must be mailto:… or https://…' });

export const registryAuth = z
  .string()
  .regex(/^v=MCPv1; k=(ed25519|ecdsap384); p=[A-Za-z0-9+/]+=*$/, 'must be the line that aval registry --auth prints');

export const ranges = list.pipe(
  z.array(z.string().refine(value => ipaddr.isValidCIDR(value), 'must be CIDR ranges, for example 10.0.0.0/8')),
);

/** Any web address. */
export const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
