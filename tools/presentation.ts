import type { Profile } from '../brand/profile/schema.ts';
import { NOT_CALIBRATED, SIMILARITY_MEANING } from '../brand/retrieval/similarity.ts';
import { type Action, actionsOf } from './actions.ts';
import type { Mode } from './deliver.ts';
import type { Policies } from './policies.ts';
import { SERVICE } from './service-facts.ts';
import { type Introduction, introduce } from './words/introduction.ts';
import { messagesOf } from './words/language.ts';

interface Settings {
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  readonly policies: Policies;
  readonly mode: Mode;
  /** Address of a picture that stands for the brand. */
  readonly icon?: string | undefined;
}

/** Whose server this is, for agents and people. Each profile gets a new one; without a profile the words are neutral. */
export interface Presentation extends Omit<Introduction, 'brand'>, Settings {
  /** Absent while no profile is loaded. */
  readonly brand: string | undefined;
  /** Names the server in a client's settings: letters, digits and underscores. */
  readonly slug: string;
  /** What people can send to the team. */
  readonly actions: readonly Action[];
  /** How to read a similarity of the embedding model in use. */
  readonly similarity: string;
  /** The profile carries a signature, and its public keys are published. */
  readonly signed: boolean;
  /** The brand's own site. */
  readonly website?: string | undefined;
}

interface Published {
  readonly profile: Profile;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks?: Uint8Array | undefined;
  /** Whether similarities are probabilities. Default: true. */
  readonly calibrated?: boolean;
}

/** @param published the profile in use; undefined while none is loaded */
export function createPresentation(
  published: Published | undefined,
  { baseUrl, policies, mode, icon }: Settings,
): Presentation {
  const settings = { baseUrl, policies, mode, icon };
  if (!published) return { ...NEUTRAL, ...settings };
  const { profile, jwks, calibrated = true } = published;
  const similarity = calibrated ? SIMILARITY_MEANING : NOT_CALIBRATED;
  const signed = jwks !== undefined && Boolean(profile.signatures?.length);
  const of = { website: profile.url, actions: actionsOf(profile), slug: profile.id };
  return { ...introduce(profile), ...of, similarity, signed, ...settings };
}

const { tag: language } = messagesOf(undefined);
const NEUTRAL = {
  brand: undefined,
  about: undefined,
  slug: SERVICE.name,
  actions: actionsOf(undefined),
  language,
  similarity: SIMILARITY_MEANING,
  signed: false,
};

/** `serverInfo`, the same in every revision of MCP. */
export function identity({ brand, about }: Presentation) {
  const described = about === undefined ? {} : { description: about };
  return { name: SERVICE.name, title: brand ?? SERVICE.title, ...described, version: SERVICE.version };
}

/** `capabilities`, the same in every revision of MCP. */
export const CAPABILITIES = { tools: {} } as const;

/** The first sentence matters most: some hosts show only that one. */
export function instructions({ brand = 'this brand', about, signed }: Presentation): string {
  return (
    `Ask about ${brand} with ask_brand: it returns claims of its ${signed ? 'signed ' : ''}brand profile, verbatim, each with ` +
    `the boundary inside which it holds and the proofs behind it. ${about ? `About ${brand}: ${about}. ` : ''}` +
    'Compose the answer yourself, stay inside the boundary, cite claim_id, and say so when no match is similar enough. ' +
    'Nothing here is generated text.'
  );
}
