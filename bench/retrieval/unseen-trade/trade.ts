/** A claim a row. */
type Row = readonly [id: string, category: string, statement: string, applies: string, excludes: string];
type Asked = readonly [query: string, ...relevant: string[]];

/** An invented brand of a trade that neither the example nor the training of the model has. */
export interface Trade {
  readonly name: string;
  readonly claims: readonly Row[];
  /** 40, written before anything was measured. */
  readonly questions: readonly Asked[];
  /** 15, never looked at while mending. */
  readonly fresh: readonly Asked[];
  /** Statements after the hints were followed, by claim id; those that are true in other words. */
  readonly mended: Readonly<Record<string, string>>;
}
