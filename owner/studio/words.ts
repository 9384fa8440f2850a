import { counted } from '../../tools/language/counts.ts';

/** What the preview says around the draft, in the language of the profile. */
export interface PreviewWords {
  readonly title: string;
  readonly lead: string;
  readonly counts: (claims: number, faults: number, warnings: number) => string;
  readonly general: string;
  readonly fault: string;
  readonly warning: string;
  readonly line: string;
  readonly ask: { readonly title: string; readonly label: string; readonly button: string; readonly none: string };
  readonly scores: Readonly<Record<'similarity' | 'meaning' | 'late' | 'lexical' | 'score', string>>;
  readonly level: (level: string) => string;
  readonly claims: string;
  readonly broken: string;
  readonly questions: {
    readonly title: string;
    readonly figures: (r1: string, r3: string, mrr: string, of: number) => string;
    readonly wanted: string;
    readonly came: string;
    readonly nothing: string;
    readonly good: string;
  };
}

const en: PreviewWords = {
  title: 'Preview',
  lead: 'The draft as visitors will see it, seen by this computer alone. It reloads when the file is saved.',
  counts: (claims, faults, warnings) =>
    [counted(claims, 'claim'), counted(faults, 'fault'), counted(warnings, 'warning')].join(', '),
  general: 'About the whole profile',
  fault: 'Fault',
  warning: 'Warning',
  line: 'line',
  ask: {
    title: 'Ask the draft',
    label: 'Your question',
    button: 'Ask',
    none: 'There is no whole claim that could answer.',
  },
  scores: {
    similarity: 'Similarity',
    meaning: 'Meaning (dense)',
    late: 'Words (late)',
    lexical: 'Spelling (lexical)',
    score: 'Score',
  },
  level: level =>
    `Texts that do not answer come as near as ${level} (background level). Marked words meet the question.`,
  claims: 'Claims',
  broken: 'This claim is not whole yet: nobody will see it.',
  questions: {
    title: 'Your questions',
    figures: (r1, r3, mrr, of) =>
      `Of ${of} ${of === 1 ? 'question' : 'questions'}: first ${r1}, among the first three ${r3}, MRR ${mrr}.`,
    wanted: 'Wanted',
    came: 'Came',
    nothing: 'no claim',
    good: 'Every question found its claim first.',
  },
};

const es: PreviewWords = {
  title: 'Vista previa',
  lead: 'El borrador como lo verán los visitantes; solo se ve en este ordenador. Se recarga al guardar el archivo.',
  counts: (claims, faults, warnings) =>
    [
      claims === 1 ? '1 afirmación' : `${claims} afirmaciones`,
      faults === 1 ? '1 error' : `${faults} errores`,
      warnings === 1 ? '1 aviso' : `${warnings} avisos`,
    ].join(', '),
  general: 'Sobre el perfil entero',
  fault: 'Error',
  warning: 'Aviso',
  line: 'línea',
  ask: {
    title: 'Pregunta al borrador',
    label: 'Tu pregunta',
    button: 'Preguntar',
    none: 'No hay ninguna afirmación completa que pueda responder.',
  },
  scores: {
    similarity: 'Similitud',
    meaning: 'Significado (dense)',
    late: 'Palabras (late)',
    lexical: 'Ortografía (lexical)',
    score: 'Puntuación',
  },
  level: level =>
    `Los textos que no responden llegan hasta ${level} (nivel de fondo). Las palabras marcadas coinciden con la pregunta.`,
  claims: 'Afirmaciones',
  broken: 'Esta afirmación aún no está completa: nadie la verá.',
  questions: {
    title: 'Tus preguntas',
    figures: (r1, r3, mrr, of) =>
      `De ${of} ${of === 1 ? 'pregunta' : 'preguntas'}: en primer lugar ${r1}, entre las tres primeras ${r3}, MRR ${mrr}.`,
    wanted: 'Se esperaba',
    came: 'Salió',
    nothing: 'ninguna afirmación',
    good: 'Cada pregunta encontró su afirmación en primer lugar.',
  },
};

export const previewWords = (language: string): PreviewWords => (/^es\b/i.test(language) ? es : en);
