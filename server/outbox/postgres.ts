import { Pool, type PoolClient, types } from 'pg';
import { type Database, DatabaseFault, type Query, type Sql, type SqlRow, sql } from './sql.ts';

/** Time to connect: longer than a quick restart of Postgres, shorter than a client waits. */
const CONNECT_MS = 3000;
const STATEMENT_MS = 5000;

const CONNECTIONS = 24;

export interface OpenOptions {
  /** For a command that only reads. */
  readonly readOnly?: boolean;
}

/**
 * A Postgres database, for several instances. It connects on first use.
 * @param url `postgres://user:password@host:5432/database`
 */
export function openPostgres(url: string, { readOnly = false }: OpenOptions = {}): Database {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    statement_timeout: STATEMENT_MS,
    application_name: 'aval',
    ...(readOnly && { options: '-c default_transaction_read_only=on' }),
    types: {
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
    },
  });
  // Without a listener, a broken idle connection would end the process. The pool opens another.
  pool.on('error', ignore);
  const enqueue = createKeyedQueue();

  async function transact<Result>(
    names: readonly string[],
    work: (query: Query) => Promise<Result>,
  ): Promise<Result> {
    const client = await pool.connect().catch(rethrow);
    client.on('error', ignore);
    let isBroken = true;
    try {
      await run(client, sql`BEGIN`);
      for (const [index, name] of names.entries()) {
        // With the position in the key, two names with one hash cannot wait for each other.
        const place = names.length - 1 - index;
        await run(client, sql`SELECT pg_advisory_xact_lock(CAST(${place} AS INTEGER), hashtext(${name}))`);
      }
      const result = await work(statement => run(client, statement));
      await run(client, sql`COMMIT`);
      isBroken = false;
      return result;
    } finally {
      client.removeListener('error', ignore);
      // Closes a broken connection, so that Postgres rolls back its transaction.
      client.release(isBroken);
    }
  }

  return {
    dialect: 'postgres',
    query: statement => run(pool, statement),
    // Transactions of one name wait without a connection: 200 requests of one client must not take all of
    // them.
    exclusively: (names, work) => enqueue(names.at(-1) ?? '', () => transact(names, work)),
    close: () => pool.end(),
  };
}

const ignore = () => {};

/**
 * Work that has waited longer is refused at its turn: with a frozen Postgres each would wait for all before
 * it.
 */
const PATIENCE_MS = CONNECT_MS + STATEMENT_MS;

/** A queue for each name: it runs its work one after the other. */
function createKeyedQueue() {
  const tails = new Map<string, Promise<unknown>>();
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const askedMs = performance.now();
    const begin = () => {
      if (performance.now() - askedMs < PATIENCE_MS) return work();
      throw new DatabaseFault('DATABASE_BUSY', `Postgres: no turn within ${PATIENCE_MS / 1000} s`);
    };
    const turn = (tails.get(name) ?? Promise.resolve()).then(begin, begin);
    tails.set(name, turn);
    try {
      return await turn;
    } finally {
      if (tails.get(name) === turn) tails.delete(name);
    }
  };
}

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
