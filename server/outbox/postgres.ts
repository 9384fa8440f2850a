import { Pool, type PoolClient, types } from 'pg';
import { type Database, DatabaseFault, type Query, type Sql, type SqlRow, sql } from './sql.ts';

/** Longer than a quick restart of Postgres, shorter than a client waits. */
const CONNECT_MS = 3000;
const STATEMENT_MS = 5000;

/**
 * A Postgres database, for several instances. It connects on first use.
 * @param url `postgres://user:password@host:5432/database`
 */
export function openPostgres(url: string): Database {
  const pool = new Pool({
    connectionString: url,
    max: 8,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'aval',
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
    },
  });
  // Without a listener, a broken idle connection would end the process. The pool opens another.
  pool.on('error', ignore);

  async function within<Result>(
    begin: readonly Sql[],
    work: (query: Query) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect().catch(rethrow);
    client.on('error', ignore);
    let isBroken = true;
    try {
      for (const statement of begin) await run(client, statement);
      const result = await work(statement => run(client, statement));
      await run(client, sql`COMMIT`);
      isBroken = false;
      return result;
    } finally {
      client.removeListener('error', ignore);
      // A broken one is closed: the server then rolls back its open transaction.
      client.release(isBroken);
    }
  }

  return {
    dialect: 'postgres',
    query: statement => run(pool, statement),
    exclusively: (name, work) =>
      within([sql`BEGIN`, sql`SELECT pg_advisory_xact_lock(hashtext(${name}))`], work),
    snapshot: work => within([sql`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`], work),
    close: () => pool.end(),
  };
}

const ignore = () => {};

async function run(
  client: Pick<Pool, 'query'> | PoolClient,
  { text, values }: Sql,
): Promise<readonly SqlRow[]> {
  let index = 0;
  const numbered = text.replace(/\?/g, () => `$${++index}`);
  const { rows } = await client.query<SqlRow>(numbered, [...values]).catch(rethrow);
  return rows;
}

function rethrow(error: Error & { readonly code?: string }): never {
  throw new DatabaseFault(error.code ?? 'POSTGRES_AWAY', `Postgres: ${error.message}`, error);
}
