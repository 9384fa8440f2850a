import { foldedText } from '../brand/profile/folded-text.ts';
import { isArticle, runAt } from './number-words.ts';
import { shares } from './shares.ts';
import { type Figure, type Slack, type Unit, unitIn } from './units.ts';

/** Each figure is read with all that stands before it and after it, so a text that is too long anyway would cost its square. */
const MOST_READ = 4000;

/** Every figure of a text. @param language tag: it decides whether a comma or a point parts the decimals */
export function figuresIn(text: string, language: string): Figure[] {
  const isEnglish = /^en\b/i.test(language);
  const plain = REWRITTEN.reduce(
    (said, [pattern, instead]) => said.replace(pattern, instead),
    text
      .slice(0, MOST_READ)
      .replace(/(?<!\d)[¼½¾]/g, sign => (isEnglish ? '0.' : '0,') + QUARTERS[sign])
      .normalize('NFKC')
      .replace(/[\u00ad\u200b-\u200f]/g, ''),
  );
  const placed = [...digits(plain, isEnglish), ...spelled(plain)].toSorted((a, b) => a.start - b.start);
  const listed = placed.map((one, at) => ({ ...one, unit: one.unit ?? unitOfList(placed, at, plain) }));
  const sums = listed.flatMap((one, at) => sumOf(one, listed[at + 1], plain));
  return [...listed, ...sums, ...shares(plain)];
}

const REWRITTEN: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(?<=\d) ?h ?(\d\d)(?: ?min|m)?(?![\d\p{L}])/gu, ' h $1 min'],
  [/(?<!\p{L})a fortnight(?!\p{L})/giu, '14 days'],
  [/(?<!\p{L})una quincena(?!\p{L})/giu, '15 días'],
  [/(?<!\p{L})(?:media docena|half a dozen)(?!\p{L})/giu, '6'],
  [/(?<!\p{L})(?:una )?docena y media(?!\p{L})/giu, '18'],
  [/(?<!\p{L})medio centenar(?!\p{L})/giu, '50'],
  [/(?<!\p{L})(?:un par|a couple)(?= (?:de|of) )/giu, '2'],
];

const QUARTERS: Readonly<Record<string, string>> = { '¼': '25', '½': '5', '¾': '75' };

/** A figure and where it stands, its unit not included. */
interface Placed extends Figure {
  readonly start: number;
  readonly end: number;
}

/** `40 to 60 euros`, `£40 or 60`: the unit of one figure is that of the other. */
function unitOfList(figures: readonly Placed[], at: number, text: string): Unit | undefined {
  const [last, own, next] = [figures[at - 1], figures[at], figures[at + 1]];
  if (!own) return undefined;
  if (next && JOINED.test(text.slice(own.end, next.start))) return next.unit;
  return last?.unit?.dimension === 'money' &&
    own.bare !== 'things' &&
    JOINED.test(text.slice(last.end, own.start))
    ? last.unit
    : undefined;
}

const JOINED = /^(?: ?[-–/,] ?| (?:a|y|o|u|to|and|or) )[€$£]?$/;

/** `1 h 30 min`, `2 years and 6 months`: one figure in two units. */
function sumOf(
  { readings: [first = 0], unit: large, end }: Placed,
  next: Placed | undefined,
  text: string,
): Figure[] {
  const [small, second = 0] = [next?.unit, next?.readings[0]];
  if (!next || !large || !small || large.dimension !== small.dimension || large.factor <= small.factor)
    return [];
  if (
    large.dimension === 'money' ||
    !/^[ -]?\p{L}+\.?,?(?: (?:y|and|con))? ?$/u.test(text.slice(end, next.start))
  )
    return [];
  const sum = Math.round((first * large.factor) / small.factor) + second;
  return [{ readings: [sum], unit: small, slack: 'exact', vague: true }];
}

const DIGITS = /(?<![\p{L}\d])(?<number>\d+(?:[.,'’\u202f\u00a0 ]\d{3})*(?:[.,]\d+)?)(?![\d])/gu;

function digits(text: string, isEnglish: boolean): Placed[] {
  return [...text.matchAll(DIGITS)].map(({ groups, index, 0: whole }) => {
    const number = groups?.number ?? '';
    const [before, after] = [text.slice(0, index), text.slice(index + whole.length)];
    const { scale, rest } = scaleIn(before, after, isEnglish);
    const unit = unitIn(before, rest);
    return {
      ...{ start: index, end: index + whole.length },
      readings: readingsOf(number, isEnglish).flatMap(value => [
        value * scale,
        ...withMore(value, rest, unit),
      ]),
      unit,
      bare: bareOf(false, rest, unit),
      slack: slackOf(before),
      vague: isRhythm(before) || (unit === undefined && scale === 1 && isName(number, before, after)),
    };
  });
}

/** After a figure: the things that it counts, and no word that leads on. */
const COUNTED =
  /^ (?!(?:al?|la|el|los|las|por|para|del?|y|o|u|en|con|sin|si|cada|m[áa]s|each|every|per|for|from|the|to|and|or|in|on|at|with|without|if|an|plus|is|are|es|son)(?!\p{L}))\p{L}/iu;

function bareOf(article: boolean, after: string, unit: Unit | undefined): Figure['bare'] {
  if (unit !== undefined) return undefined;
  return article ? 'article' : COUNTED.test(after) ? 'things' : undefined;
}

/** "Every six months" is twice a year. */
const isRhythm = (before: string) => /(?:cada|every) $/i.test(before);

/** A year, a date, `24/7`, `ISO 9001`: no figure of a metric. */
function isName(number: string, before: string, after: string): boolean {
  if (/^(?:19|20)\d\d$/.test(number)) return true;
  if (/[/-]$/.test(before) || /^[/-]\d/.test(after) || /^[-]?\p{L}/u.test(after)) return true;
  return /(?:\p{Lu}{2,}|\b(?:art[íi]culo|article|ley|law|norma|standard|anexo|annex))[ -]?$/u.test(before);
}

function readingsOf(number: string, isEnglish: boolean): number[] {
  const compact = number.replace(/['’\u202f\u00a0 ]/g, '');
  const [decimal, group] = isEnglish ? ['.', ','] : [',', '.'];
  const usual = Number(compact.replaceAll(group, '').replace(decimal, '.'));
  const groups = new RegExp(`^\\d{1,3}(?:[${group}]\\d{3})+(?:[${decimal}]\\d+)?$`);
  if (!compact.includes(group) || groups.test(compact)) {
    // With the other language's habit: one separator and three digits after it.
    const swapped = new RegExp(`^\\d{1,3}[${decimal}]\\d{3}$`).test(compact);
    return swapped ? [usual, Number(compact.replace(decimal, ''))] : [usual];
  }
  return [Number(compact.replaceAll(decimal, '').replace(group, '.'))];
}

/** `1.2 million`, `20 mil`, `3 M€`, `£5m`, `15k`: the factor, and what follows it. English miles are a length. */
function scaleIn(before: string, after: string, isEnglish: boolean): { scale: number; rest: string } {
  const [whole = '', word = ''] =
    /^[ \u00a0]?(millones|millón|millon|million|millions|mil|thousand|miles|bn|billion|k(?=[€$£ ]|\b)|M(?=[€$£])|(?<=^)[mM](?![\p{L}\d]))(?:[ \u00a0]de\b)?(?!\p{L})/u.exec(
      after,
    ) ?? [];
  const isOther =
    (isEnglish && word === 'miles') ||
    (/^m$/i.test(word) && !/^M[€$£]/.test(after.trimStart()) && !/[€$£]$/.test(before));
  if (isOther) return { scale: 1, rest: after };
  const scale =
    /^mill/i.test(word) || /^m$/i.test(word) ? 1e6 : /^b/.test(word) ? 1e9 : word === '' ? 1 : 1e3;
  return { scale, rest: after.slice(whole.length) };
}

const ABOUT =
  /(?:casi|unos|unas|alrededor del?|cerca del?|aproximadamente|en torno al?|about|around|nearly|almost|roughly|some|close to|approximately|~|≈)(?: (?:el|un|una|los|las|the|a|an))?[ €$£~]*$/i;
const AT_LEAST =
  /(?:m[áa]s del?|al menos|como m[íi]nimo|por encima de|superior al?|desde|mayor(?:es)? (?:que|de)|over|more than|at least|above|from|upwards of|>)(?: (?:el|un|una|los|las|the|a|an))?[ €$£]*$/i;
const AT_MOST =
  /(?:menos del?|como m[áa]ximo|hasta|por debajo de|inferior al?|en (?:un plazo de)?|antes de|under|less than|at most|up to|within|below|fewer than|<)(?: (?:el|un|una|los|las|the|a|an))?[ €$£]*$/i;

function slackOf(before: string): Slack {
  if (ABOUT.test(before)) return 'about';
  if (AT_LEAST.test(before)) return 'atLeast';
  return AT_MOST.test(before) ? 'atMost' : 'exact';
}

/** Figures in words: `tres`, `doscientos mil`, `twenty-seven`, `tres coma cuatro`. */
function spelled(text: string): Placed[] {
  const words = [...text.matchAll(/[\p{L}\p{M}]+/gu)].map(({ 0: word, index }) => ({
    word: foldedText(word),
    index,
    end: index + word.length,
  }));
  const folded = words.map(({ word }) => word);
  const found: Placed[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const run = runAt(folded, at);
    const [first, last] = [words[at], words[at + run.length - 1]];
    if (run.length === 0 || !first || !last) continue;
    const [before, after] = [text.slice(0, first.index), text.slice(last.end)];
    const unit = unitIn(before, after);
    found.push({
      ...{ start: first.index, end: last.end },
      readings: [run.value, ...withMore(run.value, after, unit)],
      unit,
      bare: bareOf(run.length === 1 && isArticle(first.word), after, unit),
      slack: slackOf(before),
      vague:
        isRhythm(before) ||
        (run.length === 1 && unit === undefined && (isArticle(first.word) || run.value < 13)),
    });
    at += run.length - 1;
  }
  return found;
}

/** What else a figure may mean: `una hora y media`, `one and a quarter hours`, and fifteen days, which are two weeks. */
function withMore(value: number, after: string, unit: Unit | undefined): number[] {
  const [, more] = MORE.find(([pattern]) => pattern.test(after)) ?? [];
  if (more !== undefined) return [value + more];
  return value === 15 && unit?.name === 'day' ? [14] : [];
}

const MORE: readonly (readonly [pattern: RegExp, more: number])[] = [
  [/^ (?:\p{L}+ )?(?:y medi[oa]|and a half)(?!\p{L})/u, 0.5],
  [/^ (?:\p{L}+ )?(?:y (?:un )?cuarto|and a quarter)(?!\p{L})/u, 0.25],
  [/^ (?:\p{L}+ )?(?:y tres cuartos|and three quarters)(?!\p{L})/u, 0.75],
];
