type Value = string | number | null;

/** A statement with a `?` for each value, and the values in order. */
export interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}

/**
 * Writes a statement. Interpolations become values, never text; another `Sql` becomes part of the statement.
 * @example sql`SELECT * FROM submissions WHERE id = ${id}`; // text: '… WHERE id = ?', values: [id]
 */
export function sql(parts: TemplateStringsArray, ...inner: readonly (Value | Sql)[]): Sql {
  let text = parts[0] ?? '';
  const values: Value[] = [];
  inner.forEach((one, index) => {
    const isPart = typeof one === 'object' && one !== null;
    text += (isPart ? one.text : '?') + (parts[index + 1] ?? '');
    values.push(...(isPart ? one.values : [one]));
  });
  return { text, values };
}

/** A name of a table or column as part of a statement. Never for text from outside. */
export const words = (text: string): Sql => ({ text, values: [] });

/** Values separated by commas, for `IN (…)`. */
export const listOf = (values: readonly Value[]): Sql => ({
  text: values.map(() => '?').join(', '),
  values,
});

export type SqlRow = Readonly<Record<string, unknown>>;

/** @returns rows, also of RETURNING @throws DatabaseFault */
export type Query = (statement: Sql) => Promise<readonly SqlRow[]>;

/** The number that a statement selects. Undefined for NULL or no row. */
export async function numberOf(query: Query, statement: Sql): Promise<number | undefined> {
  const [row = {}] = await query(statement);
  const [value = null] = Object.values(row);
  return value === null ? undefined : Number(value);
}

/** The port to an SQL database. Adapters: sqlite.ts and postgres.ts. All statements run on both. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres';
  readonly query: Query;
  /**
   * Runs `work` in one transaction. Transactions with a common name wait for each other, across processes.
   * All take their names in the same order, the one that others share last.
   * @throws DatabaseFault, or the error of `work`; then nothing has changed
   */
  exclusively<Result>(names: readonly string[], work: (query: Query) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/**
 * A statement failed. `code` is the database's (`SQLITE_FULL`, `ECONNREFUSED`, `57P01`) and safe to log.
 */
export class DatabaseFault extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseFault';
    this.code = code;
  }
}

/**
 * The database is damaged, newer than this program, or another profile's. Waiting does not help, so nothing
 * starts.
 */
export class DatabaseRefused extends DatabaseFault {}
