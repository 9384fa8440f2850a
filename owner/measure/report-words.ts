import type { Doubt } from './groups.ts';

/** What a report says, in one language. */
export interface ReportWords {
  readonly title: string;
  readonly lead: (questions: number, since: string, until: string) => string;
  readonly byDay: string;
  readonly days: (first: string, last: string, most: number) => string;
  readonly most: string;
  readonly weak: string;
  readonly noWeak: string;
  readonly doubtful: string;
  readonly noDoubtful: string;
  readonly doubts: Readonly<Record<Doubt, string>>;
  readonly silent: string;
  readonly none: string;
  readonly languages: string;
  readonly channels: string;
  readonly visitors: string;
  readonly columns: readonly [question: string, times: string, similarity: string, claim: string];
  readonly nothing: string;
  /** Names of languages, channels and visitors; any other stands as it is. */
  readonly names: Readonly<Record<string, string>>;
}

const en: ReportWords = {
  title: 'What was asked',
  lead: (questions, since, until) =>
    `${questions} ${questions === 1 ? 'question' : 'questions'} from ${since} to ${until}`,
  byDay: 'By day',
  days: (first, last, most) => `Questions by day from ${first} to ${last}, at most ${most}`,
  most: 'Most asked',
  weak: 'Weakly answered',
  noWeak: 'Every group of questions has a claim that answers it.',
  doubtful: 'To be looked at',
  noDoubtful: 'Nothing speaks against the answers that were given.',
  doubts: {
    rival: 'another claim is nearly as likely',
    unsure: 'often asked, and never answered with certainty',
    again: 'asked again at once in other words',
  },
  silent: 'Claims that were never the best match',
  none: 'None.',
  languages: 'Languages',
  channels: 'Channels',
  visitors: 'Agent or person',
  columns: ['Question', 'Times', 'Similarity', 'Best claim'],
  nothing: 'none',
  names: { es: 'Spanish', en: 'English', '?': 'not clear' },
};

const es: ReportWords = {
  title: 'Lo que preguntaron',
  lead: (questions, since, until) =>
    `${questions} ${questions === 1 ? 'pregunta' : 'preguntas'} del ${since} al ${until}`,
  byDay: 'Por día',
  days: (first, last, most) => `Preguntas por día del ${first} al ${last}, como mucho ${most}`,
  most: 'Lo más preguntado',
  weak: 'Con respuesta débil',
  noWeak: 'Cada grupo de preguntas tiene una afirmación que lo responde.',
  doubtful: 'Conviene mirarlo',
  noDoubtful: 'Nada habla en contra de las respuestas que se dieron.',
  doubts: {
    rival: 'otra afirmación es casi igual de probable',
    unsure: 'se pregunta mucho y nunca se responde con seguridad',
    again: 'se volvió a preguntar enseguida con otras palabras',
  },
  silent: 'Afirmaciones que nunca salieron primero',
  none: 'Ninguna.',
  languages: 'Idiomas',
  channels: 'Canales',
  visitors: 'Agente o persona',
  columns: ['Pregunta', 'Veces', 'Similitud', 'Mejor afirmación'],
  nothing: 'ninguna',
  names: { es: 'español', en: 'inglés', '?': 'no está claro', person: 'persona', agent: 'agente' },
};

/** The words of a report for a brand of this language: Spanish, else English. */
export const reportWords = (language: string): ReportWords => (/^es\b/i.test(language) ? es : en);
