import { brandName } from '../../brand/profile/profile.ts';
import type { Profile } from '../../brand/profile/schema.ts';

/** A profile in few words, each on one line. */
export interface Introduction {
  /** Name of the brand, at most 48 characters. */
  readonly brand: string;
  /** What it does, at most 160 characters; absent where the profile does not say. */
  readonly about: string | undefined;
  /** Language tag. */
  readonly language: string;
}

/** What is told of a brand before anybody asks. */
export function introduce(profile: Profile): Introduction {
  const { description, language } = profile;
  return {
    brand: shortened(brandName(profile), 48),
    about: description && shortened(opening(description, SENTENCE), 160),
    language,
  };
}

const SENTENCE = /^.{30,}?(?=[.;:!?](?:\s|$))/su;

const opening = (text: string, pattern: RegExp) => (pattern.exec(text)?.[0] ?? text).replace(/[\s.]+$/, '');

/** On one line, cut between words. */
function shortened(text: string, max: number): string {
  const characters = [...text.replace(/[\s\p{Cc}]+/gu, ' ').trim()];
  if (characters.length <= max) return characters.join('');
  const cut = characters.slice(0, max - 1).join('');
  return `${cut.replace(/\s+\S*$/, '')}…`;
}
