import type { Claim } from '../profile/schema.ts';

/** A text as it is searched; its head says what it is about, without boundaries. */
export interface SearchText {
  readonly head: string;
  readonly text: string;
  /** The end of the text: where the claim does not apply. */
  readonly excluded?: string;
}

/** What is searched for a claim: statement, metric name, where it applies and where it does not (model/README.md: measured best). */
export function searchText({ statement, metric, boundary }: Claim): SearchText {
  const head = metric ? `${statement} ${metric.name}.` : statement;
  const excluded = boundary.not_applicable_for;
  return { head, text: `${head} ${boundary.applicable_for} ${excluded}`, excluded };
}
