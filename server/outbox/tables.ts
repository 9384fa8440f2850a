import { type Database, DatabaseRefused, numberOf, type Query, sql, words } from './sql.ts';

/**
 * Every table, in types that both dialects read. Times are milliseconds since 1970; hashes are SHA-256 in
 * base64url; flags are 0 or 1.
 */
const TABLES = [
  'CREATE TABLE schemas (name TEXT PRIMARY KEY, version INTEGER NOT NULL)',
  `CREATE TABLE submissions (
    id TEXT PRIMARY KEY,
    reference TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    channel TEXT NOT NULL,
    mode TEXT NOT NULL,
    language TEXT NOT NULL,
    received_at BIGINT NOT NULL,
    promised_at BIGINT NOT NULL,
    fields TEXT NOT NULL,
    suspect SMALLINT NOT NULL,
    client_key TEXT,
    client_network TEXT,
    key_hash TEXT,
    body_hash TEXT,
    recipient TEXT,
    mailbox TEXT,
    confirmed_at BIGINT
  )`,
  'CREATE INDEX submissions_received ON submissions (received_at, id)',
  'CREATE INDEX submissions_key ON submissions (key_hash) WHERE key_hash IS NOT NULL',
  'CREATE INDEX submissions_recipient ON submissions (recipient) WHERE recipient IS NOT NULL',
  // For the counts of the hourly limits.
  'CREATE INDEX submissions_of_client ON submissions (client_key, received_at)',
  'CREATE INDEX submissions_of_network ON submissions (client_network, received_at)',
  'CREATE INDEX submissions_of_channel ON submissions (channel, received_at)',
  // For the counts of the bounds on confirmations.
  'CREATE INDEX confirmed_all ON submissions (confirmed_at) WHERE confirmed_at IS NOT NULL',
  'CREATE INDEX confirmed_mailbox ON submissions (mailbox, confirmed_at) WHERE confirmed_at IS NOT NULL',
  'CREATE INDEX confirmed_network ON submissions (client_network, confirmed_at) WHERE ' +
    'confirmed_at IS NOT NULL',
  // One row for each delivery of a submission: team's mail, confirmation, webhook.
  `CREATE TABLE deliveries (
    submission TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
    part TEXT NOT NULL,
    mode TEXT NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    planned_at BIGINT NOT NULL,
    due_at BIGINT,
    lease TEXT,
    lease_until BIGINT,
    done_at BIGINT,
    note TEXT,
    reply TEXT,
    PRIMARY KEY (submission, part)
  )`,
  'CREATE INDEX deliveries_due ON deliveries (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX deliveries_states ON deliveries (part, mode, state)',
  'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
  // Questions that ASK_LOG keeps.
  `CREATE TABLE asked (
    at BIGINT NOT NULL,
    query TEXT NOT NULL
  )`,
  'CREATE INDEX asked_at ON asked (at)',
];

/** Raised with each change of a table: programs of two versions do not write into one database. */
const VERSION = 10;

/**
 * Makes the tables in an empty database, one process at a time.
 * @throws DatabaseRefused for the tables of another version
 */
export async function makeTables(database: Database): Promise<void> {
  await database.exclusively(['migrate'], async query => {
    const [table] = await query(words(HAS_TABLES[database.dialect]));
    if (table) return requireKnown(query);
    for (const statement of TABLES) await query(words(statement));
    await query(sql`INSERT INTO schemas (name, version) VALUES ('submissions', ${VERSION})`);
  });
}

const HAS_TABLES = {
  sqlite: `SELECT 1 FROM sqlite_schema WHERE name = 'schemas'`,
  postgres: `SELECT 1 FROM pg_tables WHERE tablename = 'schemas' AND schemaname = current_schema()`,
};

/** @throws DatabaseRefused for the tables of another version, whose rows this program does not know */
export async function requireKnown(query: Query): Promise<void> {
  const version = await numberOf(query, sql`SELECT version FROM schemas WHERE name = 'submissions'`);
  if (version === VERSION) return;
  const isNewer = version !== undefined && version > VERSION;
  const versions = `${version}, known here: ${VERSION}`;
  throw isNewer
    ? new DatabaseRefused(
        'DATABASE_NEWER',
        `The database was changed by a newer version of this program (${versions}). ` +
          'Start that version, or put back a back-up that this one made (docs/operations.md).',
      )
    : new DatabaseRefused(
        'DATABASE_OLDER',
        `The database is that of an earlier version of this program (${versions}). ` +
          'Let that version deliver what it keeps, then start this one with an empty database ' +
          '(CHANGELOG.md).',
      );
}
