import { randomBytes } from 'node:crypto';
import { type Database, DatabaseRefused, sql } from './sql.ts';

/** The id of the profile that the store belongs to. Undefined before the first process with a profile. */
export async function boundTo({ query }: Database): Promise<string | undefined> {
  const [row] = await query(sql`SELECT value FROM settings WHERE name = 'profile'`);
  return row && String(row.value);
}

/**
 * Binds a store to its first profile: two brands in one store would send each other's mail.
 * @throws DatabaseRefused if the store belongs to another profile
 */
export async function bind(database: Database, profileId: string): Promise<void> {
  const owner = await setting(database, 'profile', profileId);
  if (owner === profileId) return;
  throw new DatabaseRefused(
    'DATABASE_OF_ANOTHER',
    `The submissions here belong to the profile "${owner}", and BRAND_FILE has "${profileId}". ` +
      'Give each profile a DATA_DIR or DATABASE_URL of its own. If the id changed on purpose: ' +
      'aval outbox rebind.',
  );
}

/** Gives a store to another profile. */
export const rebind = ({ query }: Database, profileId: string) =>
  query(sql`
    INSERT INTO settings (name, value) VALUES ('profile', ${profileId})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`);

/**
 * A secret that all processes of this installation share. The first call makes it.
 * @throws DatabaseFault
 */
export const installationSecret = (database: Database, name: string): Promise<string> =>
  setting(database, name, randomBytes(32).toString('base64url'));

async function setting({ query }: Database, name: string, value: string): Promise<string> {
  await query(
    sql`INSERT INTO settings (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`,
  );
  const [row] = await query(sql`SELECT value FROM settings WHERE name = ${name}`);
  return String(row?.value);
}
