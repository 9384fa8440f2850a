import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Mode, Submission } from '../../tools/deliver.ts';
import { POLICIES, type Policies, type SubmissionLimits } from '../../tools/policies.ts';
import { admitSubmission, hourlyStates, limitLock } from './hourly-limits.ts';
import { type Database, type Query, type Sql, sql } from './sql.ts';
import { type Stored, stored } from './stored-submission.ts';

/**
 * The submissions of one mode in a database that any number of processes may use at once: who sends a mail
 * holds its lease.
 */
export interface Store {
  readonly database: Database;
  readonly mode: Mode;
  /** A lease lasts longer than the slowest send: what is leased for longer than that belongs to nobody. */
  readonly leaseMs: number;
  /** The name under which this process leases. */
  readonly leaseholder: string;
  /** Of the hourly limits. */
  readonly policies: Policies;
  /** Each submission goes to a webhook, too. */
  readonly hasWebhook: boolean;
}

export const openStore = (
  database: Database,
  settings: Pick<Store, 'mode' | 'leaseMs'> & Partial<Pick<Store, 'policies' | 'hasWebhook'>>,
): Store => ({
  database,
  policies: POLICIES,
  hasWebhook: false,
  ...settings,
  leaseholder: randomUUID(),
});

/** What became of a submission that was handed in, and what its limits say. */
export type Received =
  | Kept
  | { readonly kind: 'conflict'; readonly limits: SubmissionLimits }
  | { readonly kind: 'limited'; readonly limits: SubmissionLimits };

/** A submission that was committed now, or the earlier one that it repeats. */
export interface Kept {
  readonly kind: 'new' | 'repeat';
  readonly record: Stored;
  readonly limits: SubmissionLimits;
}

/**
 * Commits a submission with its lease, or says which one it repeats or which limit refuses it. The limits are
 * counted in the same transaction.
 * @throws DatabaseFault: nothing was kept
 */
export function receive(store: Store, submission: Submission, now: () => number): Promise<Received> {
  const { database, mode, policies } = store;
  const key = keyOf(submission, mode);
  const names = [...(key ? [`key ${key.keyHash}`] : []), limitLock(submission)];
  return database.exclusively(names, async (query): Promise<Received> => {
    const nowMs = now();
    const earlier = key && (await repeatOf(query, key, nowMs));
    if (earlier) {
      const limits = { ok: true, states: await hourlyStates(query, submission, policies, nowMs) };
      return earlier === 'conflict'
        ? { kind: 'conflict', limits }
        : { kind: 'repeat', record: earlier, limits };
    }
    const limits = await admitSubmission(query, submission, policies, nowMs);
    if (!limits.ok) return { kind: 'limited', limits };
    const record = await insert({ ...store, query }, submission, { key, nowMs });
    if (store.hasWebhook) await planWebhook(query, record.id, nowMs);
    return { kind: 'new', record, limits };
  });
}

export const find = ({ query }: Database, id: string) =>
  first(query, sql`SELECT * FROM submissions WHERE id = ${id}`);

export async function first(query: Query, statement: Sql): Promise<Stored | undefined> {
  const [row] = await query(statement);
  return row && stored(row);
}

/**
 * One person's mailbox, as a hash: `Ana+x@Example.org` is `ana@example.org`, and Gmail reads no dots before
 * the @.
 */
export const recipientOf = (address: string): string => hash(mailboxOf(address));

/**
 * The mailbox as confirmations are counted: several hosts read no dots, so none counts. Two people may share
 * one.
 */
function countedMailboxOf(address: string): string {
  const [local = '', domain = ''] = mailboxOf(address).split('@');
  return hash(`${local.replaceAll('.', '')}@${domain}`);
}

export function mailboxOf(address: string): string {
  const [local = '', domain = ''] = address.toLowerCase().split('@');
  const plain = local.replace(/\+.*$/, '');
  return GMAIL.has(domain) ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain}@${domain}`;
}

const GMAIL = new Set(['gmail.com', 'googlemail.com']);

/** An Idempotency-Key as the store keeps it, with the body that it came with and the client that used it. */
interface Key {
  readonly client: string;
  readonly keyHash: string;
  readonly bodyHash: string;
  readonly mode: Mode;
}

/** The key of a submission; `undefined`: it has none, so it repeats nothing. */
function keyOf(
  { kind, fields, comparedFields = fields, idempotencyKey, clientHash: client }: Submission,
  mode: Mode,
): Key | undefined {
  if (idempotencyKey === undefined) return undefined;
  const sorted = Object.entries(comparedFields).sort(([a], [b]) => (a < b ? -1 : 1));
  return { client, keyHash: hash(idempotencyKey), bodyHash: hash(JSON.stringify([kind, sorted])), mode };
}

const KEY_LIFETIME_MS = 24 * 3_600_000;

/**
 * The submission with the same key and body within 24 hours. A key with another body is a conflict for the
 * client that used it; for another client it is a coincidence ("1" is a popular key). What was erased has no
 * key any more.
 */
async function repeatOf(query: Query, key: Key, nowMs: number): Promise<Stored | 'conflict' | undefined> {
  const { client, keyHash, bodyHash, mode } = key;
  const rows = await query(sql`
    SELECT * FROM submissions WHERE key_hash = ${keyHash} AND mode = ${mode}
      AND received_at > ${nowMs - KEY_LIFETIME_MS}`);
  const same = rows.find(row => row.body_hash === bodyHash);
  if (same) return stored(same);
  return rows.some(row => row.client_key === client) ? 'conflict' : undefined;
}

/** The row as it stands after this; a reference that is taken is drawn again. */
async function insert(
  { query, mode, leaseMs, leaseholder }: Store & { readonly query: Query },
  submission: Submission,
  { key, nowMs }: { readonly key: Key | undefined; readonly nowMs: number },
): Promise<Stored> {
  const {
    kind,
    confirms,
    replyHours,
    channel,
    fields,
    language = 'es',
    suspect = false,
    requestId,
  } = submission;
  const { clientHash, networkHash } = submission;
  const confirmation = !confirms ? 'none' : suspect ? 'skipped' : 'due';
  for (;;) {
    const record = await first(
      query,
      sql`
        INSERT INTO submissions (id, reference, kind, channel, mode, language, received_at, fields, client_key, client_network,
          body_hash, key_hash, recipient, mailbox, suspect, state, tries, planned_at, due_at, lease, lease_until, confirmation, confirmation_note,
          request, promised_ms)
        VALUES (${`sub-${randomBytes(8).toString('hex')}`}, ${newReference()}, ${kind}, ${channel}, ${mode}, ${language},
          ${nowMs}, ${JSON.stringify(fields)}, ${clientHash}, ${networkHash ?? null}, ${key?.bodyHash ?? null}, ${key?.keyHash ?? null},
          ${recipientOf(fields.email ?? '')}, ${countedMailboxOf(fields.email ?? '')},
          ${suspect ? 1 : 0}, 'pending', 0, ${nowMs}, ${nowMs}, ${leaseholder}, ${nowMs + leaseMs}, ${confirmation},
          ${confirmation === 'skipped' ? 'suspect' : null}, ${requestId ?? null}, ${replyHours * 3_600_000})
        ON CONFLICT (reference) DO NOTHING RETURNING *`,
    );
    if (record) return record;
  }
}

/** Plans the webhook of a submission, in the transaction that commits it. */
const planWebhook = (query: Query, submission: string, nowMs: number) =>
  query(sql`
    INSERT INTO webhooks (submission, state, tries, due_at, planned_at)
    VALUES (${submission}, 'pending', 0, ${nowMs}, ${nowMs})`);

/** `ABCD-1234`, by chance: no vowels, so no words, and no letter that is read as another. */
function newReference(): string {
  const letters = Array.from({ length: 4 }, () => CONSONANTS[randomInt(CONSONANTS.length)]).join('');
  return `${letters}-${String(randomInt(10_000)).padStart(4, '0')}`;
}

const CONSONANTS = 'BCDFGHJKLMNPQRSTVWXZ';

const hash = (text: string) => createHash('sha256').update(text).digest('base64url');
