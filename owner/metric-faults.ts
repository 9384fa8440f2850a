import type { FindingCode } from '../brand/profile/finding-words.ts';
import { foldedText } from '../brand/profile/folded-text.ts';
import type { Claim } from '../brand/profile/schema.ts';
import { figuresIn } from './figures.ts';
import type { ClaimGuard } from './guards.ts';
import { runAt } from './number-words.ts';
import { oncePerPart } from './once-per-part.ts';
import { type Figure, figureWord, scaleOf, type Unit, unitNamed, unitWord } from './units.ts';

/**
 * A metric that contradicts the statement of its claim: another figure, another currency, another unit. A statement that
 * states no figure at all is worth a look and no fault.
 */
export const METRIC_GUARDS: readonly ClaimGuard[] = [
  ['figure_in_words', 'metric.value', ({ metric }) => spelledNumber(String(metric?.value ?? ''))],
  ['figure_unsaid', 'metric.value', contradicts('figure_unsaid')],
  ['figure_differs', 'metric.value', contradicts('figure_differs')],
  ['figure_unit', 'metric.value', contradicts('figure_unit')],
];

/** Whether a claim has this contradiction, with what fills its sentence. */
function contradicts(code: FindingCode): ClaimGuard[2] {
  return (claim, { language }) => {
    const [found, ...values] = contradictionIn(claim, language) ?? [];
    return found === code && values;
  };
}

/** The number of a text that is one in words and nothing else: agents cannot compare it. */
function spelledNumber(text: string): string | undefined {
  const words = foldedText(text).split(/\s+/).filter(Boolean);
  const { value, length } = runAt(words, 0);
  return length > 0 && length === words.length ? String(value) : undefined;
}

const contradictionIn = oncePerPart(({ statement, metric }: Claim, language) => {
  if (!metric) return undefined;
  const measured = measuredIn(metric, language);
  const stated = withChanges(ofUnit(figuresIn(statement, language), measured[0]?.unit));
  const wrong = measured.find(value => !stated.some(figure => agrees(figure, value)));
  if (wrong === undefined) return undefined;
  const shown = [figureWord(metric.value, language), metric.unit]
    .filter(part => part !== undefined)
    .join(' ');
  const clear = stated.filter(({ vague }) => !vague);
  if (clear.length === 0) return ['figure_unsaid', shown] as const;
  const sameFigure = clear.find(figure =>
    agrees({ ...figure, unit: undefined }, { ...wrong, unit: undefined }),
  );
  if (!sameFigure)
    return ['figure_differs', shown, clear.map(figure => saidOf(figure, language)).join(', ')] as const;
  const [reading = 0] = sameFigure.readings;
  const unit = sameFigure.unit && unitWord(sameFigure.unit, reading, language);
  return ['figure_unit', shown, figureWord(reading, language), String(unit)] as const;
});

/** Beside a figure in the unit of the metric, an article is no figure, and the number of other things is no price. */
function ofUnit(stated: readonly Figure[], own: Unit | undefined): readonly Figure[] {
  if (!own || !stated.some(({ unit, vague }) => !vague && unit?.dimension === own.dimension)) return stated;
  return stated.filter(({ bare }) => bare !== 'article' && !(bare === 'things' && own.dimension === 'money'));
}

/** From 41 % to 58 % is 17 points, 41 % more and 1.4 times as much: a metric may say any of these. */
function withChanges(stated: readonly Figure[]): Figure[] {
  const clear = stated.filter(({ vague }) => !vague);
  const changes = clear.flatMap((first, at) =>
    clear.slice(at + 1).flatMap(second => {
      const [a = 0, b = 0] = [first.readings[0], second.readings[0]];
      if (first.unit && second.unit && first.unit.name !== second.unit.name) return [];
      const unit = second.unit ?? first.unit;
      const change = (value: number, of: Unit | undefined): Figure[] =>
        Number.isFinite(value)
          ? [{ readings: [Math.abs(value)], unit: of, slack: 'about', vague: true }]
          : [];
      return [
        ...change(b - a, unit?.dimension === 'percent' ? POINTS : unit),
        ...change(((b - a) / a) * 100, PERCENT),
        ...change(b / a, TIMES),
        // The mean of a range.
        ...change((a + b) / 2, unit),
      ];
    }),
  );
  return [...stated, ...changes];
}

const [POINTS, PERCENT, TIMES] = (['points', 'percent', 'times'] as const).map(
  (dimension): Unit => ({ dimension, name: dimension, factor: 1 }),
);

const saidOf = ({ readings: [reading = 0], unit }: Figure, language: string) =>
  [figureWord(reading, language), unit && unitWord(unit, reading, language)].filter(Boolean).join(' ');

interface Measured {
  readonly value: number;
  readonly unit: Unit | undefined;
}

/** The figures of a metric: its number, or those in its text. */
function measuredIn({ value, unit = '' }: NonNullable<Claim['metric']>, language: string): Measured[] {
  const own = unitNamed(unit);
  const scale = scaleOf(unit);
  if (typeof value === 'number') return [{ value: Math.abs(value) * scale, unit: own }];
  const figures = figuresIn(value, language).filter(figure => !figure.vague);
  return figures.map(figure => ({ value: (figure.readings[0] ?? 0) * scale, unit: figure.unit ?? own }));
}

/** Whether a statement's figure may be what was measured. */
function agrees(figure: Figure, { value, unit }: Measured): boolean {
  return comparable(figure.unit, unit).some(([said, measured]) =>
    figure.readings.some(reading => isNear(reading * said, value * measured, { figure, said, measured })),
  );
}

/** By which factors two units are compared; empty where they say different things. */
function comparable(said: Unit | undefined, measured: Unit | undefined): (readonly [number, number])[] {
  if (!said || !measured)
    return [
      [1, 1],
      ...(said?.dimension === 'percent' ? [[1, 100] as const] : []),
      ...shareFactors(said, measured),
    ];
  if (said.dimension === 'money' || measured.dimension === 'money')
    return isSameMoney(said, measured) ? [[said.factor, measured.factor]] : [];
  if (said.dimension === measured.dimension) return [[said.factor, measured.factor]];
  return shareFactors(said, measured);
}

/** Cents are those of any currency. */
const isSameMoney = (one: Unit, other: Unit) =>
  one.dimension === other.dimension &&
  (one.name === other.name || one.name === 'cent' || other.name === 'cent');

/** A share is a percentage or a fraction; twice as much is 100 % more. */
function shareFactors(said: Unit | undefined, measured: Unit | undefined): (readonly [number, number])[] {
  if (said?.dimension !== 'share' && said?.dimension !== 'times') return [];
  if (measured?.dimension === 'percent') return [[100, 1]];
  // "Half of the year" is six months, "free" costs 0 euros.
  if (said.dimension === 'share' && measured?.dimension === 'time')
    return [
      [365.25 * 86_400, measured.factor],
      [3600, measured.factor],
      [86_400, measured.factor],
    ];
  return [[1, 1]];
}

/** Lengths of time are rounded: 30 days are a month, 10 working days two weeks. */
const TIME_SLACK = 0.05;

interface Compared {
  readonly figure: Figure;
  /** The factors of the two units. */
  readonly said: number;
  readonly measured: number;
}

function isNear(
  stated: number,
  value: number,
  { figure: { slack, readings, unit }, said, measured }: Compared,
): boolean {
  const apart = Math.abs(stated - value);
  if (apart <= Math.abs(stated) * 1e-6) return true;
  if (said === measured) {
    // A statement rounds: 71 is said of 71.3.
    const decimals = String(readings[0] ?? '').split('.')[1]?.length ?? 0;
    if (apart <= 0.5 * 10 ** -decimals * said && !Number.isInteger(value / measured)) return true;
  } else if (unit?.dimension === 'time' && apart <= stated * TIME_SLACK) return true;
  if (slack === 'about' || unit?.dimension === 'share') return apart <= Math.abs(stated) * 0.05;
  if (slack === 'atLeast') return value >= stated && value <= stated * 1.25;
  return slack === 'atMost' && value <= stated && value >= stated * 0.8;
}
