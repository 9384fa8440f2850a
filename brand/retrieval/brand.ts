import type { Boundary, Claim, Metric, Profile, Proof } from '../profile/schema.ts';
import type { Asker } from './line.ts';

/** One claim as an answer to a question. Every member but `similarity` stands verbatim in the profile. */
export interface Match {
  readonly claim_id: string;
  readonly statement: string;
  readonly category: string;
  /** Only where the claim has one. */
  readonly metric?: Metric | undefined;
  readonly boundary: Boundary;
  readonly confidence: Claim['confidence'];
  /** 0..1, four decimals: the chance that this match is the right one (similarity.ts). */
  readonly similarity: number;
  readonly proofs: readonly Proof[];
}

/** For our own surfaces: JSON has no symbols. */
export const BOUNDARY_SPEAKS = Symbol('the boundary speaks');

/** The body of /ask and the result of ask_brand. */
export interface Answer {
  readonly brand: string;
  /** The question as used: trimmed, well-formed. */
  readonly query: string;
  /** At most five claims, most similar first, each at least at the floor; none where no claim is likely to answer. */
  readonly matches: readonly Match[];
  /** What to say where the best match is weak or excludes what is asked, or where there is none; a good answer has none. */
  readonly note?: string;
  /** The first match excludes what is asked: its boundary answers. */
  readonly [BOUNDARY_SPEAKS]?: true;
}

/** A loaded profile that can be asked: the port that tools and surfaces see. */
export interface Brand {
  readonly name: string;
  readonly profile: Profile;
  /** `sha256:` and the hex digest of the profile file's bytes. */
  readonly digest: string;
  /** Whether similarities mean what SIMILARITY_MEANING says; if not, they give an order (NOT_CALIBRATED). */
  readonly calibrated: boolean;
  /** Settles when the encoder has read all claims; until then the table answers alone. */
  readonly ready: Promise<void>;
  /** Answers that the table gave alone because the encoder had no place, was not ready, or failed. */
  readonly alone: () => number;
  /** Repeated questions get the same object. @throws the reason of the asker's signal */
  ask(query: string, asker?: Asker): Promise<Answer>;
  /** An answer of this profile as JSON. */
  json(answer: Answer): string;
}
