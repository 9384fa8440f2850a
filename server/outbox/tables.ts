import type { Schema } from './migrate.ts';

/** Times are milliseconds since 1970; hashes are SHA-256 in base64url; flags are 0 or 1. */
export const SUBMISSIONS: Schema = {
  name: 'submissions',
  steps: [
    [
      `CREATE TABLE submissions (
        id TEXT PRIMARY KEY,
        reference TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL,
        channel TEXT NOT NULL,
        mode TEXT NOT NULL,
        language TEXT NOT NULL,
        received_at BIGINT NOT NULL,
        fields TEXT,
        client_key TEXT,
        body_hash TEXT,
        key_hash TEXT,
        recipient TEXT,
        suspect SMALLINT NOT NULL,
        state TEXT NOT NULL,
        tries INTEGER NOT NULL,
        planned_at BIGINT,
        due_at BIGINT,
        lease TEXT,
        lease_until BIGINT,
        delivered_at BIGINT,
        mail_id TEXT,
        confirmation TEXT NOT NULL,
        confirmation_note TEXT,
        confirmed_at BIGINT,
        finished_at BIGINT,
        abandoned_by TEXT,
        alarmed_at BIGINT,
        erased_at BIGINT
      )`,
      'CREATE INDEX submissions_due ON submissions (due_at) WHERE due_at IS NOT NULL',
      `CREATE INDEX submissions_pending ON submissions (body_hash) WHERE state = 'pending'`,
      'CREATE INDEX submissions_key ON submissions (key_hash) WHERE key_hash IS NOT NULL',
      'CREATE INDEX submissions_received ON submissions (received_at, id)',
      'CREATE INDEX submissions_recipient ON submissions (recipient) WHERE recipient IS NOT NULL',
      'CREATE INDEX submissions_confirmed ON submissions (confirmed_at) WHERE confirmed_at IS NOT NULL',
      'CREATE INDEX submissions_finished ON submissions (finished_at) WHERE finished_at IS NOT NULL',
      'CREATE INDEX submissions_states ON submissions (state, mode, suspect)',
      `CREATE TABLE attempts (
        submission TEXT NOT NULL REFERENCES submissions (id) ON DELETE CASCADE,
        part TEXT NOT NULL,
        at BIGINT NOT NULL,
        outcome TEXT NOT NULL,
        code TEXT NOT NULL
      )`,
      'CREATE INDEX attempts_submission ON attempts (submission, at)',
      'CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
    ],
    [
      'ALTER TABLE submissions ADD COLUMN request TEXT',
      'CREATE TABLE audit (at BIGINT NOT NULL, who TEXT NOT NULL, what TEXT NOT NULL, about TEXT NOT NULL)',
      'CREATE INDEX audit_at ON audit (at)',
    ],
    ['ALTER TABLE attempts ADD COLUMN reply TEXT'],
    // Whoever was there before was promised an answer within 48 hours.
    ['ALTER TABLE submissions ADD COLUMN promised_ms BIGINT NOT NULL DEFAULT 172800000'],
    [
      'ALTER TABLE submissions ADD COLUMN client_network TEXT',
      'CREATE INDEX submissions_network ON submissions (client_network, confirmed_at) WHERE confirmed_at IS NOT NULL',
      // Only a key finds a repeat, so nothing looks for bodies or for all that was confirmed.
      'DROP INDEX submissions_pending',
      'DROP INDEX submissions_confirmed',
    ],
  ],
};
