import { QUESTION_ACTION } from './action-schema.ts';
import type { Profile } from './schema.ts';

/** What an answer says of itself where no statement answers the question. Programs often show nothing but the JSON. */
export interface AnswerNotes {
  readonly weak: string;
  readonly excluded: string;
  readonly empty: string;
}

/** The notes of a profile: in English, as hints are; what it quotes stands in the profile. */
export function answerNotes({ description, contact, actions }: Profile): AnswerNotes {
  const takesQuestions = actions === undefined || actions[QUESTION_ACTION]?.enabled === true;
  const ways = [
    ...contactLines(contact),
    ...(takesQuestions ? [`the action ${QUESTION_ACTION} sends the question to the team`] : []),
  ];
  return {
    weak: 'Nearest only: no claim answers this directly. Say so before you cite one.',
    excluded:
      'The boundary answers: what is asked is where the first claim does not apply (not_applicable_for).',
    empty: [
      'No claim answers this. Say so.',
      ...(description === undefined ? [] : [`The brand describes itself: “${description}”`]),
      ...(ways.length === 0 ? [] : [`To ask a person: ${ways.join('; ')}.`]),
    ].join(' '),
  };
}

/** The texts of `contact`, a member that the schema leaves open. */
function contactLines(contact: unknown): string[] {
  if (typeof contact !== 'object' || contact === null) return [];
  return Object.entries(contact).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}
