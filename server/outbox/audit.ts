import { type Database, type Query, type SqlRow, sql } from './sql.ts';

/** What an operator did with submissions. It never holds a field of a submission. */
export interface Audited {
  readonly atMs: number;
  /** The system user. */
  readonly who: string;
  readonly what: 'show' | 'export' | 'retry' | 'abandon' | 'erase' | 'purge' | 'backup' | 'restore' | 'rebind';
  /** A reference, the hash of a mailbox, `all`, a number of days, the name of a file, or the id of a profile. */
  readonly about: string;
}

export function noteAudit(query: Query, { atMs, who, what, about }: Audited) {
  return query(sql`INSERT INTO audit (at, who, what, about) VALUES (${atMs}, ${who}, ${what}, ${about})`);
}

/** All that operators did, oldest first. */
export async function audited({ query }: Database): Promise<readonly SqlRow[]> {
  return query(sql`SELECT at, who, what, about FROM audit ORDER BY at`);
}

/** The hashes of all mailboxes that were ever erased. */
export async function erasedRecipients({ query }: Database): Promise<string[]> {
  const rows = await query(sql`SELECT DISTINCT about FROM audit WHERE what = 'erase'`);
  return rows.map(({ about }) => String(about));
}

/** Adds what another database's audit says, so that a restore forgets none of it. */
export async function addAudit({ query }: Database, rows: readonly SqlRow[]): Promise<void> {
  for (const { at, who, what, about } of rows) {
    const values = sql`${Number(at)}, ${String(who)}, ${String(what)}, ${String(about)}`;
    await query(sql`
      INSERT INTO audit (at, who, what, about) SELECT ${values}
      WHERE NOT EXISTS (SELECT 1 FROM audit WHERE (at, who, what, about) = (${values}))`);
  }
}
