import { QUESTION_ACTION } from './action-schema.ts';
import type { Profile } from './schema.ts';

/**
 * The note of an empty answer: what to do then. In English, as hints are; what it quotes stands in the profile. Programs often
 * show nothing but the JSON.
 */
export function emptyNote({ description, contact, actions }: Profile): string {
  const takesQuestions = actions === undefined || actions[QUESTION_ACTION]?.enabled === true;
  const ways = contactLines(contact);
  if (takesQuestions) ways.push(`the action ${QUESTION_ACTION} sends the question to the team`);
  const sentences = ['No claim answers this. Say so.'];
  if (description !== undefined) sentences.push(`The brand describes itself: “${description}”`);
  if (ways.length > 0) sentences.push(`To ask a person: ${ways.join('; ')}.`);
  return sentences.join(' ');
}

/** The texts of `contact`, a member that the schema leaves open. */
function contactLines(contact: unknown): string[] {
  if (typeof contact !== 'object' || contact === null) return [];
  return Object.entries(contact).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name} ${value}`] : [],
  );
}
