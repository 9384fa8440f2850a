import { readFileSync } from 'node:fs';
import { ROOT } from './support.ts';

/** The same numbers in every run: a linear congruential generator (Numerical Recipes, 7.1). */
function createChance(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Whole words of the bundled model's vocabulary, the most frequent first. */
export function vocabulary(): string[] {
  const { model } = JSON.parse(readFileSync(`${ROOT}model/tokenizer.json`, 'utf8'));
  return Object.keys(model.vocab).filter(word => /^[a-zñáéíóú]{3,}$/.test(word));
}

/** A question as long as one may be, of words from the rare half of the vocabulary: each needs scores of its own. */
export function rareQuestion(words: readonly string[], seed: number): string {
  const chance = createChance(seed);
  const half = Math.floor(words.length / 2);
  let question = '';
  for (;;) {
    const longer = `${question} ${words[half + chance(words.length - half)]}`;
    if (longer.length > 2000) return question.trim();
    question = longer;
  }
}

/** An unsigned profile of so many claims, each of other words: what a firm with many services may have. */
export function inventedProfile(words: readonly string[], claims: number, revision = 0) {
  const chance = createChance(claims + revision);
  const phrase = (length: number) => Array.from({ length }, () => words[chance(words.length)]).join(' ');
  return {
    profile: 'brand-profile/1',
    id: 'invented',
    names: [{ es: 'Marca inventada' }],
    url: 'https://invented.example',
    issued_at: '2026-01-01T00:00:00Z',
    expires_at: '2099-01-01T00:00:00Z',
    claims: Array.from({ length: claims }, (_, index) => ({
      claim_id: `clm-${index}`,
      statement: phrase(14),
      category: phrase(1),
      metric: { name: phrase(2), value: chance(1000), unit: 'puntos' },
      boundary: { applicable_for: phrase(10), not_applicable_for: phrase(8) },
      confidence: 'high',
      proof_ids: [`prf-${index}`],
    })),
    proofs: Array.from({ length: claims }, (_, index) => ({
      proof_id: `prf-${index}`,
      type: 'case',
      title: phrase(5),
      summary: phrase(12),
      client: 'reservado',
      verifiable_by: phrase(6),
      confidentiality: 'confidential',
    })),
  };
}
