import { type Database, DatabaseRefused, numberOf, type Query, sql, words } from './sql.ts';

/**
 * Every table, with types that both dialects read. Times are milliseconds since 1970; hashes are SHA-256 in
 * base64url; flags are 0 or 1. A start adds what is missing: so a new column may be NULL or has a DEFAULT.
 */
export const TABLES = {
  submissions: {
    id: 'TEXT NOT NULL',
    reference: 'TEXT NOT NULL',
    kind: 'TEXT NOT NULL',
    channel: 'TEXT NOT NULL',
    mode: 'TEXT NOT NULL',
    language: 'TEXT NOT NULL',
    received_at: 'BIGINT NOT NULL',
    fields: 'TEXT',
    client_key: 'TEXT',
    body_hash: 'TEXT',
    key_hash: 'TEXT',
    recipient: 'TEXT',
    suspect: 'SMALLINT NOT NULL',
    state: 'TEXT NOT NULL',
    tries: 'INTEGER NOT NULL',
    planned_at: 'BIGINT',
    due_at: 'BIGINT',
    lease: 'TEXT',
    lease_until: 'BIGINT',
    delivered_at: 'BIGINT',
    mail_id: 'TEXT',
    confirmation: 'TEXT NOT NULL',
    confirmation_note: 'TEXT',
    confirmed_at: 'BIGINT',
    finished_at: 'BIGINT',
    abandoned_by: 'TEXT',
    alarmed_at: 'BIGINT',
    erased_at: 'BIGINT',
    request: 'TEXT',
    // Whoever was there before was promised an answer within 48 hours.
    promised_ms: 'BIGINT NOT NULL DEFAULT 172800000',
    client_network: 'TEXT',
    mailbox: 'TEXT',
  },
  attempts: {
    submission: 'TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE',
    part: 'TEXT NOT NULL',
    at: 'BIGINT NOT NULL',
    outcome: 'TEXT NOT NULL',
    code: 'TEXT NOT NULL',
    reply: 'TEXT',
  },
  /** What the webhook is owed of each submission. */
  webhooks: {
    submission: 'TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE',
    state: 'TEXT NOT NULL',
    tries: 'INTEGER NOT NULL',
    due_at: 'BIGINT',
    planned_at: 'BIGINT',
    lease: 'TEXT',
    lease_until: 'BIGINT',
    note: 'TEXT',
  },
  settings: { name: 'TEXT NOT NULL', value: 'TEXT NOT NULL' },
  audit: { at: 'BIGINT NOT NULL', who: 'TEXT NOT NULL', what: 'TEXT NOT NULL', about: 'TEXT NOT NULL' },
  /** Questions, where ASK_LOG keeps them. */
  asked: {
    at: 'BIGINT NOT NULL',
    query: 'TEXT NOT NULL',
    language: 'TEXT NOT NULL',
    claim_id: 'TEXT',
    similarity: 'DOUBLE PRECISION NOT NULL',
    channel: 'TEXT NOT NULL',
    visitor: 'TEXT NOT NULL',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The name begins with the table's. A table that was restored without them gets them again. */
const INDEXES: readonly { readonly name: string; readonly on: string; readonly unique?: true }[] = [
  { name: 'submissions_id', on: '(id)', unique: true },
  { name: 'submissions_reference', on: '(reference)', unique: true },
  { name: 'submissions_due', on: '(due_at) WHERE due_at IS NOT NULL' },
  { name: 'submissions_key', on: '(key_hash) WHERE key_hash IS NOT NULL' },
  { name: 'submissions_received', on: '(received_at, id)' },
  { name: 'submissions_recipient', on: '(recipient) WHERE recipient IS NOT NULL' },
  { name: 'submissions_network', on: '(client_network, confirmed_at) WHERE confirmed_at IS NOT NULL' },
  { name: 'submissions_mailbox', on: '(mailbox, confirmed_at) WHERE confirmed_at IS NOT NULL' },
  { name: 'submissions_confirmed', on: '(confirmed_at) WHERE confirmed_at IS NOT NULL' },
  // The hourly limits count by these.
  { name: 'submissions_of_client', on: '(client_key, received_at)' },
  { name: 'submissions_of_network', on: '(client_network, received_at)' },
  { name: 'submissions_of_channel', on: '(channel, received_at)' },
  { name: 'submissions_finished', on: '(finished_at) WHERE finished_at IS NOT NULL' },
  { name: 'submissions_states', on: '(state, mode, suspect)' },
  { name: 'attempts_submission', on: '(submission, at)' },
  { name: 'webhooks_submission', on: '(submission)', unique: true },
  { name: 'webhooks_due', on: '(due_at) WHERE due_at IS NOT NULL' },
  { name: 'settings_name', on: '(name)', unique: true },
  { name: 'audit_at', on: '(at)' },
  { name: 'audit_about', on: '(about, what)' },
  { name: 'asked_at', on: '(at)' },
];

/** Raised when an older program must not touch the tables any more. */
const VERSION = 6;

/**
 * Makes every table, column and index that is missing, one process at a time.
 * @throws DatabaseRefused if a newer program has changed them
 */
export async function makeTables(database: Database): Promise<void> {
  await database.exclusively(['migrate'], async query => {
    const there = await namesIn(database.dialect, query);
    if (there.has('schemas')) await requireKnown(query);
    const missing = Object.entries(TABLES).flatMap(([table, columns]) =>
      statementsFor(table, columns, there.get(table)),
    );
    if (!there.has('schemas'))
      missing.push('CREATE TABLE schemas (name TEXT PRIMARY KEY, version INTEGER NOT NULL)');
    const version = `INSERT INTO schemas (name, version) VALUES ('submissions', ${VERSION})`;
    if (missing.length > 0) missing.push('DELETE FROM schemas', version);
    for (const statement of missing) await query(words(statement));
  });
}

/** @param has the columns and indexes of the table; `undefined`: it is not there */
function statementsFor(
  table: string,
  columns: Readonly<Record<string, string>>,
  has?: ReadonlySet<string>,
): string[] {
  const typed = Object.entries(columns).flatMap(([name, type]) => (has?.has(name) ? [] : `${name} ${type}`));
  const columnStatements = has
    ? typed.map(column => `ALTER TABLE ${table} ADD COLUMN ${column}`)
    : [`CREATE TABLE ${table} (${typed.join(', ')})`];
  const indexes = INDEXES.filter(({ name }) => name.startsWith(`${table}_`) && !has?.has(name));
  return [
    ...columnStatements,
    ...indexes.map(
      ({ name, unique, on }) => `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${table} ${on}`,
    ),
  ];
}

/** The columns and indexes of every table that is there. */
async function namesIn(dialect: Database['dialect'], query: Query): Promise<Map<string, Set<string>>> {
  const there = new Map<string, Set<string>>();
  for (const row of await query(words(NAMES[dialect]))) {
    const table = String(row.table_name);
    there.set(table, (there.get(table) ?? new Set()).add(String(row.part_name)));
  }
  return there;
}

const NAMES = {
  sqlite: `SELECT t.name AS table_name, c.name AS part_name FROM sqlite_schema t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'
    UNION ALL SELECT tbl_name, name FROM sqlite_schema WHERE type = 'index'`,
  postgres: `SELECT table_name::text AS table_name, column_name::text AS part_name FROM information_schema.columns
    WHERE table_schema = current_schema() UNION ALL
    SELECT tablename::text, indexname::text FROM pg_indexes WHERE schemaname = current_schema()`,
};

/**
 * @throws DatabaseRefused if a newer program has changed the tables: this one does not know the rows that the
 * newer one needs
 */
export async function requireKnown(query: Query): Promise<void> {
  const version = await versionOf(query);
  if (version <= VERSION) return;
  throw new DatabaseRefused(
    'DATABASE_NEWER',
    `The database was changed by a newer version of this program (${version}, known here: ${VERSION}). ` +
      'Start that version, or put back a back-up that this one made (docs/operations.md).',
  );
}

/**
 * For commands, which change no table beside a server that may be older.
 * @throws DatabaseRefused for any other version
 */
export async function requireCurrent(query: Query): Promise<void> {
  await requireKnown(query);
  const version = await versionOf(query);
  if (version === VERSION) return;
  throw new DatabaseRefused(
    'DATABASE_OLDER',
    `The database is that of an earlier version of this program (${version}, needed here: ${VERSION}). ` +
      'Start the server with this version: that brings the database up to date.',
  );
}

const versionOf = async (query: Query): Promise<number> =>
  (await numberOf(query, sql`SELECT version FROM schemas WHERE name = 'submissions'`)) ?? 0;
