import { brandName } from '../brand/profile/profile.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { NOT_CALIBRATED, SIMILARITY_MEANING } from '../brand/retrieval/meaning.ts';
import type { Policies } from './policies.ts';
import { SERVICE } from './service.ts';
import type { ToolContext } from './tool.ts';

/** Whose server this is, as agents and people are told. Made anew with each profile; without one the words are neutral. */
export interface Presentation {
  /** On one line, at most 48 characters; absent while no profile is loaded. */
  readonly brand: string | undefined;
  /** What the brand does, at most 160 characters; absent where the profile does not say. */
  readonly about: string | undefined;
  /** Names the server in a client's settings: letters, digits and underscores. */
  readonly slug: string;
  /** Language tag. */
  readonly language: string;
  /** The profile carries a signature, and its public keys are published. */
  readonly signed: boolean;
  /** A question that the first claim of the profile answers. */
  readonly question: string;
  /** How to read a similarity of the embedding model in use. */
  readonly similarity: string;
  /** Public origin without a trailing slash. */
  readonly baseUrl: string;
  readonly policies: Policies;
  readonly mode: ToolContext['mode'];
}

interface Published {
  readonly profile: Profile;
  /** The public keys; absent where the profile is served unverified. */
  readonly jwks?: Uint8Array | undefined;
  /** Whether similarities are probabilities. Default: true. */
  readonly calibrated?: boolean;
}

type Settings = Pick<Presentation, 'baseUrl' | 'policies' | 'mode'>;

/** @param published the profile in use; undefined while none is loaded */
export function createPresentation(
  published: Published | undefined,
  { baseUrl, policies, mode }: Settings,
): Presentation {
  const settings = { baseUrl, policies, mode };
  if (!published) return { ...NEUTRAL, ...settings };
  const { profile, jwks, calibrated = true } = published;
  const { description, language, claims, signatures = [] } = profile;
  return {
    brand: shortened(brandName(profile), 48),
    about: description && shortened(opening(description, SENTENCE), 160),
    slug: profile.id,
    language,
    signed: jwks !== undefined && signatures.length > 0,
    question: questionAbout(claims[0]?.statement ?? '', language),
    similarity: (calibrated ? SIMILARITY_MEANING : NOT_CALIBRATED).en,
    ...settings,
  };
}

const NEUTRAL = {
  brand: undefined,
  about: undefined,
  slug: SERVICE.name,
  language: 'es',
  signed: false,
  question: '¿A qué os dedicáis?',
  similarity: SIMILARITY_MEANING.en,
} as const;

/** Quotes the claim: whatever it says and in whatever language, its own words find it. */
function questionAbout(statement: string, language: string): string {
  const clause = shortened(opening(statement, CLAUSE), 90);
  return /^es\b/i.test(language) ? `¿Qué hay detrás de «${clause}»?` : `What is behind “${clause}”?`;
}

const SENTENCE = /^.{30,}?(?=[.;:!?](?:\s|$))/su;
const CLAUSE = /^.{30,}?(?=[,.;:!?](?:\s|$))/su;

const opening = (text: string, pattern: RegExp) => (pattern.exec(text)?.[0] ?? text).replace(/[\s.]+$/, '');

/** On one line, cut between words. */
function shortened(text: string, max: number): string {
  const characters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()];
  if (characters.length <= max) return characters.join('');
  const cut = characters.slice(0, max - 1).join('');
  return `${cut.replace(/\s+\S*$/, '')}…`;
}
