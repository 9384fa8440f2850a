import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Mode, Submission } from '../../tools/deliver.ts';
import type { SubmissionLimits } from '../../tools/policies.ts';
import { DAY_MS, HOUR_MS } from '../config/timing.ts';
import type { Store } from './deliveries.ts';
import { admitSubmission, hourlyStates, limitLock } from './hourly-limits.ts';
import { type Query, sql } from './sql.ts';
import { find, type Part, type Stored, select } from './stored-submission.ts';
import { requireKnown } from './tables.ts';

/** The outcome of `receive`, with the limits. */
export type Received = Kept | { readonly outcome: 'conflict' | 'limited'; readonly limits: SubmissionLimits };

/** The new submission, or the earlier one that it repeats. */
export interface Kept {
  readonly isNew: boolean;
  readonly record: Stored;
  readonly limits: SubmissionLimits;
}

/**
 * Commits a submission with its deliveries, of which this process leases the team's mail. Or says which
 * earlier one it repeats, or that a limit refuses it. The same transaction counts the limits.
 * @throws DatabaseFault: nothing was kept
 */
export function receive(store: Store, submission: Submission, now: () => number): Promise<Received> {
  const { database, policies } = store;
  const key = keyOf(submission);
  const names = [...(key ? [`key ${key.keyHash}`] : []), limitLock(submission)];
  return database.exclusively(names, async (query): Promise<Received> => {
    // A newer program may have changed the tables meanwhile.
    await requireKnown(query);
    const nowMs = now();
    const earlier = key && (await repeatOf(query, store.mode, submission, key, nowMs));
    if (earlier) {
      const limits = { ok: true, states: await hourlyStates(query, submission, policies, nowMs) };
      if (earlier === 'conflict') return { outcome: 'conflict', limits };
      return { isNew: false, record: earlier, limits };
    }
    const limits = await admitSubmission(query, submission, policies, nowMs);
    if (!limits.ok) return { outcome: 'limited', limits };
    const id = await insertSubmission(query, store.mode, submission, key, nowMs);
    await insertDeliveries(query, store, id, submission, nowMs);
    const record = await find(query, id);
    if (!record) throw new Error('what was inserted is there');
    return { isNew: true, record, limits };
  });
}

/** Hashes of an Idempotency-Key and its body. */
interface Key {
  readonly keyHash: string;
  readonly bodyHash: string;
}

/** The key of a submission. Undefined if it has none. */
function keyOf({ kind, fields, comparedFields = fields, idempotencyKey }: Submission): Key | undefined {
  if (idempotencyKey === undefined) return undefined;
  const sorted = Object.entries(comparedFields).sort(([a], [b]) => (a < b ? -1 : 1));
  return { keyHash: hash(idempotencyKey), bodyHash: hash(JSON.stringify([kind, sorted])) };
}

const KEY_LIFETIME_MS = DAY_MS;

/**
 * The submission with the same key and body within 24 hours. Another body is a conflict for the client that
 * used the key, and a new submission for others: many clients use "1".
 */
async function repeatOf(
  query: Query,
  mode: Mode,
  { clientHash }: Submission,
  { keyHash, bodyHash }: Key,
  nowMs: number,
): Promise<Stored | 'conflict' | undefined> {
  const isYoung = sql`received_at > ${nowMs - KEY_LIFETIME_MS}`;
  const withKey = sql`WHERE key_hash = ${keyHash} AND submissions.mode = ${mode} AND ${isYoung}`;
  const [same] = await select(query, sql`${withKey} AND body_hash = ${bodyHash}`);
  if (same) return same;
  const [other] = await query(sql`SELECT id FROM submissions ${withKey} AND client_key = ${clientHash}`);
  return other && 'conflict';
}

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

/**
 * The hash of a mailbox, by which all submissions of a person are found.
 * @example recipientOf('Ana+x@Example.org') === recipientOf('ana@example.org'); // true
 */
export const recipientOf = (address: string): string => hash(withoutTag(address));

/**
 * The hash of a mailbox for the bounds on confirmations: without dots, hyphens and underscores before the @,
 * which several hosts ignore. Two people may share one.
 */
export const countedMailboxOf = (address: string): string =>
  hash(withoutTag(address).replace(/[._-](?=.*@)/g, ''));

const withoutTag = (address: string) => address.toLowerCase().replace(/\+.*@/, '@');

/** Inserts a submission. If its random reference is taken, it draws another. @returns the id */
async function insertSubmission(
  query: Query,
  mode: Mode,
  submission: Submission,
  key: Key | undefined,
  nowMs: number,
): Promise<string> {
  const { kind, channel, fields, language = 'es', suspect = false, replyHours } = submission;
  const { clientHash, networkHash = null } = submission;
  const email = fields.email ?? '';
  for (;;) {
    const [row] = await query(sql`
      INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, promised_at, fields,
        suspect, client_key, client_network, key_hash, body_hash, recipient, mailbox)
      VALUES (${`sub-${randomBytes(8).toString('hex')}`}, ${newReference()}, ${kind}, ${channel}, ${mode},
        ${language}, ${nowMs}, ${nowMs + replyHours * HOUR_MS}, ${JSON.stringify(fields)}, ${suspect ? 1 : 0},
        ${clientHash}, ${networkHash}, ${key?.keyHash ?? null}, ${key?.bodyHash ?? null},
        ${recipientOf(email)}, ${countedMailboxOf(email)})
      ON CONFLICT (reference) DO NOTHING RETURNING id`);
    if (row) return String(row.id);
  }
}

/**
 * Writes the deliveries of a submission. The caller sends the team's mail now. The confirmation is due once
 * the team has its mail. Any process sends the webhook's event.
 */
async function insertDeliveries(
  query: Query,
  { mode, leaseholder, leaseMs, hasWebhook }: Store,
  id: string,
  { confirms, suspect }: Submission,
  nowMs: number,
): Promise<void> {
  const add = (part: Part, dueAtMs: number | null, lease: string | null, skipReason: string | null) =>
    query(sql`
      INSERT INTO deliveries
        (submission, part, mode, state, tries, planned_at, due_at, lease, lease_until, note, done_at)
      VALUES (${id}, ${part}, ${mode}, ${skipReason ? 'skipped' : 'pending'}, 0, ${nowMs}, ${dueAtMs},
        ${lease}, ${lease && nowMs + leaseMs}, ${skipReason}, ${skipReason && nowMs})`);
  await add('team', nowMs, leaseholder, null);
  if (hasWebhook) await add('webhook', nowMs, null, null);
  if (confirms) await add('confirm', null, null, suspect ? 'suspect' : null);
}

/** A random reference, `BCDF-1234`: without vowels, so no words, and without letters that look alike. */
function newReference(): string {
  const letters = Array.from({ length: 4 }, () => CONSONANTS[randomInt(CONSONANTS.length)]).join('');
  return `${letters}-${String(randomInt(10_000)).padStart(4, '0')}`;
}

const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ';
