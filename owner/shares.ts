import { numberOf } from './number-words.ts';
import type { Figure } from './units.ts';

/** Shares and multiples that are no plain number: `half`, `dos de cada tres`, `se duplica`. */
export function shares(text: string): Figure[] {
  const figure = (unit: 'share' | 'times', ...readings: number[]): Figure => ({
    readings,
    unit: { dimension: unit, name: unit, factor: 1 },
    slack: 'exact',
    vague: true,
  });
  const parts = [...text.matchAll(PART_OF)].flatMap(({ 1: part = '', 2: whole = '' }) => {
    const [share, all] = [numberOf(part), numberOf(whole)];
    return share === undefined || !all
      ? []
      : [{ ...figure('share', share / all, share), slack: 'about' as const }];
  });
  return [
    ...parts,
    ...SHARES.flatMap(([pattern, unit, ...readings]) =>
      pattern.test(text) ? [figure(unit, ...readings)] : [],
    ),
  ];
}

const PART_OF =
  /(?<![\p{L}\d])(?=(\d+|\p{L}+) (?:de(?: cada)?|(?:out )?of(?: every)?|in(?: every)?) (\d+|\p{L}+))/giu;

const SHARES: readonly (readonly [pattern: RegExp, unit: 'share' | 'times', ...readings: number[]])[] = [
  [/(?<!\p{L})(?:la mitad|half|halve[sd]?|medio|media)(?!\p{L})/iu, 'share', 0.5],
  [/(?<!\p{L})(?:un tercio|a third|one third|one-third)(?!\p{L})/iu, 'share', 1 / 3],
  [/(?<!\p{L})(?:dos tercios|two thirds|two-thirds)(?!\p{L})/iu, 'share', 2 / 3],
  [/(?<!\p{L})(?:un cuarto|a quarter|one quarter|one-quarter)(?!\p{L})/iu, 'share', 0.25],
  [/(?<!\p{L})(?:tres cuartos|three quarters|three-quarters)(?!\p{L})/iu, 'share', 0.75],
  [/(?<!\p{L})(?:duplic\p{L}+|el doble|doubl\p{L}+|twice|twofold)(?!\p{L})/iu, 'times', 2, 1],
  [/(?<!\p{L})(?:triplic\p{L}+|el triple|tripl\p{L}+|treble[sd]?|threefold)(?!\p{L})/iu, 'times', 3, 2],
  [
    /(?<!\p{L})(?:gratis|gratuit[oa]s?|sin coste|no se cobra|free(?: of charge)?|no charge)(?!\p{L})/iu,
    'times',
    0,
  ],
  [/(?<!\p{L})(?:ning[úu]n\p{L}*|sin|no|nobody|none|never|nunca|nada|zero)(?!\p{L})/iu, 'times', 0],
  [
    /(?<!\p{L})(?:tod[oa]s?|[íi]ntegr[oa]|complet[oa]|all|every|entire|full|whole|siempre|always|cada)(?!\p{L})/iu,
    'share',
    1,
  ],
];
