import type { Claim } from '../profile/schema.ts';

/** A text as it is searched; its head says what it is about, without boundaries. */
export interface SearchText {
  readonly head: string;
  readonly text: string;
}

/** What is searched for a claim: statement, metric name, where it applies and where it does not (model/README.md: measured best). */
export function searchText({ statement, metric, boundary }: Claim): SearchText {
  const head = metric ? `${statement} ${metric.name}.` : statement;
  return { head, text: `${head} ${boundary.applicable_for} ${boundary.not_applicable_for}` };
}
