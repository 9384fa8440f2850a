import type { ActionField, ActionName, ActionWords as OwnWords } from '../brand/profile/action-schema.ts';
import type { Profile } from '../brand/profile/schema.ts';
import type { Kind, Messages } from './words/es.ts';
import { messagesOf, writtenIn } from './words/language.ts';

/** Within this many hours a person replies, where the profile promises no other time. */
const CONTRACT_REPLY_HOURS = 48;

/** What people can send to the team, as the contract has it. What agents read stands here, what people read in tools/words. */
export interface ContractAction extends AgentWords {
  /** Of its tool. */
  readonly name: ActionName;
  /** Names it in the store, in addresses and in the embed. */
  readonly kind: Kind;
  /** Whoever sends it gets a confirmation by mail. */
  readonly confirms: boolean;
  /** The contract's name for the schema of its fields. */
  readonly request: string;
  /** Fields asked for besides name, e-mail and context. */
  readonly fields: readonly ActionField[];
}

interface AgentWords {
  readonly title: string;
  readonly purpose: string;
  /** When to use it, after "Use it". */
  readonly when: string;
  /** What belongs into the field `context`. */
  readonly context: string;
}

/** An action as one profile has it. */
export interface Action extends ContractAction {
  /** Language tag of the profile. */
  readonly language: string | undefined;
  readonly replyHours: number;
  readonly wordsIn: (messages: Messages) => ActionWords;
}

/** What people read of an action, in one language. */
export type ActionWords = Messages['actions'][Kind] & {
  /** What the field `level` offers; the contract's where it is absent. */
  readonly levels?: readonly string[];
};

/** The action with the owner's words, fields and reply time where the profile has them; undefined where it is switched off. */
export function offered(row: ContractAction, profile: Profile | undefined): Action | undefined {
  const own = profile?.actions?.[row.name];
  if (profile?.actions !== undefined && !own?.enabled) return undefined;
  const { reply_hours: replyHours = CONTRACT_REPLY_HOURS, fields = row.fields, words = {} } = own ?? {};
  const house = writtenIn(words, messagesOf(profile?.language)) ?? Object.values(words)[0];
  return {
    ...row,
    ...(house && agentWords(house)),
    fields,
    replyHours,
    language: profile?.language,
    wordsIn(messages) {
      const contract = messages.actions[row.kind];
      const said = writtenIn(words, messages);
      // The reply time follows the thanks in this language, so both are in it.
      return house ? peopleWords(said ?? house, messages, said?.thanks ?? contract.received) : contract;
    },
  };
}

/** The owner's words inside English sentences. */
const agentWords = ({ title, purpose, context }: OwnWords): AgentWords => ({
  title,
  purpose: `${ended(purpose)} Emails it to the team.`,
  when: `to send “${title}” for a person who asked for it`,
  context: ended(context),
});

function peopleWords(
  { title, purpose, context, levels }: OwnWords,
  messages: Messages,
  thanks: string,
): ActionWords {
  return {
    title,
    lead: ended(purpose),
    question: messages.forms.labels.context,
    context,
    button: messages.forms.send,
    nav: title,
    offer: title,
    received: thanks.replace(/\.\s*$/, ''),
    ...(levels && { levels: [...levels, ...messages.choices.level.slice(-1)] }),
    mail: { subject: title, title },
  };
}

/** A sentence with its end. */
export const ended = (sentence: string): string =>
  /[.!?…]\s*$/.test(sentence) ? sentence.trim() : `${sentence.trim()}.`;

/** The success of a submission: on the page, in JSON and in the confirmation by mail. */
export const receivedText = (messages: Messages, { wordsIn, replyHours }: Action): string =>
  `${ended(wordsIn(messages).received)} ${messages.reply(replyHours)}`;
