import type { ActionField, ActionName, ActionWords as OwnerWords } from '../brand/profile/action-schema.ts';
import type { Profile } from '../brand/profile/schema.ts';
import type { Kind, Messages } from './words/es.ts';
import { messagesOf, translationFor } from './words/language.ts';

/** A person replies within these hours, unless the profile promises another time. */
const CONTRACT_REPLY_HOURS = 48;

/**
 * An action of the contract: a request that people send to the team. Its texts are for agents; those for
 * people are in tools/words.
 */
export interface ContractAction extends AgentWords {
  /** Name of its tool. */
  readonly name: ActionName;
  /** Its name in the database, in paths and in the embed. */
  readonly kind: Kind;
  /** Whether the sender gets a confirmation by mail. */
  readonly confirms: boolean;
  /** The contract's name for the schema of its fields. */
  readonly request: string;
  /** Fields besides name, e-mail and context. */
  readonly fields: readonly ActionField[];
}

interface AgentWords {
  readonly title: string;
  readonly purpose: string;
  /** When to use it, after "Use it". */
  readonly when: string;
  /** What to write in the field `context`. */
  readonly context: string;
}

/** An action of one profile. */
export interface Action extends ContractAction {
  /** Language tag of the profile. */
  readonly language: string | undefined;
  readonly replyHours: number;
  readonly wordsIn: (messages: Messages) => ActionWords;
}

/** The texts of an action for people, in one language. */
type ActionWords = Messages['actions'][Kind] & {
  /** Choices of the field `level`. Absent: the contract's. */
  readonly levels?: readonly string[];
};

/**
 * An action of the contract with the owner's words, fields and reply time, if the profile has them.
 * @returns undefined if the profile switches the action off
 * @example const action = resolveAction(contractAction, profile);
 */
export function resolveAction(row: ContractAction, profile: Profile | undefined): Action | undefined {
  const settings = profile?.actions?.[row.name];
  if (profile?.actions !== undefined && !settings?.enabled) return undefined;
  const { reply_hours: replyHours = CONTRACT_REPLY_HOURS, fields = row.fields, words = {} } = settings ?? {};
  const ownerWords = translationFor(words, messagesOf(profile?.language)) ?? Object.values(words)[0];
  return {
    ...row,
    ...(ownerWords && agentWords(ownerWords)),
    fields,
    replyHours,
    language: profile?.language,
    wordsIn(messages) {
      const contract = messages.actions[row.kind];
      if (!ownerWords) return contract;
      const translated = translationFor(words, messages);
      // The reply time follows the thanks, so both need the same language.
      const thanks = translated?.thanks ?? contract.received;
      return peopleWords(translated ?? ownerWords, messages, thanks);
    },
  };
}

/** Texts for agents with the owner's words in English sentences. */
const agentWords = ({ title, purpose, context }: OwnerWords): AgentWords => ({
  title,
  purpose: `${asSentence(purpose)} Emails it to the team.`,
  when: `to send “${title}” for a person who asked for it`,
  context: asSentence(context),
});

function peopleWords(
  { title, purpose, context, levels }: OwnerWords,
  messages: Messages,
  thanks: string,
): ActionWords {
  return {
    title,
    lead: asSentence(purpose),
    question: messages.forms.labels.context,
    context,
    button: messages.forms.send,
    nav: title,
    received: thanks.replace(/\.\s*$/, ''),
    ...(levels && { levels: [...levels, ...messages.choices.level.slice(-1)] }),
    mail: { subject: title, title: messages.mail.request(title) },
  };
}

/** The text with a full stop, unless it has an end. */
const asSentence = (sentence: string): string =>
  /[.!?…]\s*$/.test(sentence) ? sentence.trim() : `${sentence.trim()}.`;

/** The sentence of a success, for pages, JSON and the confirmation mail. */
export const receivedText = (messages: Messages, { wordsIn, replyHours }: Action): string =>
  `${asSentence(wordsIn(messages).received)} ${messages.reply(replyHours)}`;
