/*
 * This room answers questions with the claims of one profile.
 * In: a profile, an embedder that turns texts into vectors, a question.
 * Out: at most five claims, word for word, each with the chance that it is the right one.
 */
import type { Boundary, Claim, Metric, Profile, Proof } from '../profile/schema.ts';

/** One claim as an answer to a question. Every member but `similarity` stands verbatim in the profile. */
export interface Match {
  readonly claim_id: string;
  readonly statement: string;
  readonly category: string;
  /** Only where the claim has one. */
  readonly metric?: Metric | undefined;
  readonly boundary: Boundary;
  readonly confidence: Claim['confidence'];
  /** 0 to 1, four decimals: the chance that this match is the right one. */
  readonly similarity: number;
  readonly proofs: readonly Proof[];
}

/** The body of /ask and the result of ask_brand. */
export interface Answer {
  readonly brand: string;
  /** The question as used: trimmed, well-formed. */
  readonly query: string;
  /** At most five claims, most similar first; empty where no claim is likely to answer. */
  readonly matches: readonly Match[];
  /** What to do where the list is empty. An answer with matches has none. */
  readonly note?: string;
}

/** A loaded profile that answers questions: the port that tools use. */
export interface Brand {
  readonly name: string;
  readonly profile: Profile;
  /** `sha256:` and the hex digest of the profile file's bytes. */
  readonly digest: string;
  /** Whether a similarity is a chance. If not, similarities only give an order. */
  readonly calibrated: boolean;
  /**
   * Answers a question. A repeated question gets the same object.
   * @throws QueueFull if too many questions wait
   */
  ask(query: string, asker?: Asker): Promise<Answer>;
}

/** Who asks. The queue of questions bounds what one client and one network may have waiting. */
export interface Asker {
  /** A key of the client, never its address. */
  readonly client: string;
  /** A key of its IPv6 /48, which has many clients. Absent for IPv4. */
  readonly network?: string | undefined;
}

/** Too many questions wait, of all clients or of this one. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * The port between retrieval and a model that turns a text into one vector. All vectors have the same length.
 */
export interface Embedder {
  /** Identifies model and runtime. Only vectors with the same digest can be compared. */
  readonly digest: string;
  /** @throws QueueFull where too many questions wait; Error without the text where the model fails */
  embedQuestion(text: string, asker?: Asker): Promise<Float32Array>;
  /** Reads a text of a claim while no question waits. @throws Error without the text where the model fails */
  embedClaim(text: string): Promise<Float32Array>;
  /** Refuses waiting texts, and resolves when the threads have ended. */
  close(): Promise<void>;
}
