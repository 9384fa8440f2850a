import { ACTION_FIELDS, type ActionField, type ActionWords as OwnWords } from '../brand/profile/action-schema.ts';
import type { Profile } from '../brand/profile/schema.ts';
import { type AgentTexts, CONTRACT_REPLY_HOURS, type ContractAction, ROWS } from './action-rows.ts';
import { counted } from './words/counts.ts';
import type { Kind, Messages } from './words/es.ts';
import { messagesOf, writtenIn } from './words/language.ts';

/** What people can send to the team, as one profile has it. */
export interface Action extends ContractAction {
  /** Fields asked for besides name, e-mail and context. */
  readonly fields: readonly ActionField[];
  /** Language tag of the profile. */
  readonly language: string | undefined;
  /** A person replies within this many hours. */
  readonly replyHours: number;
  /** What people read of it. */
  readonly wordsIn: (messages: Messages) => ActionWords;
}

/** What people read of an action, in one language. */
export type ActionWords = Messages['actions'][Kind] & {
  /** What the field `level` offers; the contract's where it is absent. */
  readonly levels?: readonly string[];
};

/**
 * The actions that a profile offers, with the owner's words where it has them. Without the member `actions`, and without a
 * profile, they are those of the contract.
 */
export function actionsOf(profile: Profile | undefined): readonly Action[] {
  return ROWS.flatMap(row => {
    const own = profile?.actions?.[row.name];
    if (profile?.actions !== undefined && !own?.enabled) return [];
    const { reply_hours: replyHours = CONTRACT_REPLY_HOURS, fields = ACTION_FIELDS[row.name], words = {} } = own ?? {};
    const house = messagesOf(profile?.language);
    const inHouse = writtenIn(words, house) ?? Object.values(words)[0];
    return {
      ...row,
      ...(inHouse && agentTexts(inHouse)),
      replyHours,
      fields,
      language: profile?.language,
      wordsIn(messages) {
        const contract = messages.actions[row.kind];
        const said = writtenIn(words, messages);
        if (inHouse === undefined) return contract;
        // The reply time follows in this language, so the thanks stand in it too.
        return peopleTexts(said ?? inHouse, messages, said?.thanks ?? contract.received);
      },
    };
  });
}

/** The action of a kind: of the profile, else of the contract, since a mail may outlive the profile that offered it. */
export function actionOf(kind: string, profile: Profile | undefined): Action {
  const contract = actionsOf(undefined);
  const action = [...actionsOf(profile), ...contract].find(row => row.kind === kind) ?? contract[0];
  if (!action) throw new Error(`no action is called ${kind}`);
  return action;
}

/** The owner's words for agents, in English sentences. */
function agentTexts({ title, purpose, context }: OwnWords): AgentTexts {
  return {
    title,
    preposition: ':',
    emails: `${ended(purpose)} Emails it`,
    sends: `${ended(purpose)} Sends it to the team by email.`,
    whom: 'person',
    asks: ended(context),
    isFor: `“${title}”`,
    use: `to send “${title}” for a person who asked for it`,
    does: `send “${title}”`,
    noun: `“${title}”`,
    topics: [],
  };
}

/** The owner's words for people. */
function peopleTexts({ title, purpose, context, levels }: OwnWords, messages: Messages, thanks: string): ActionWords {
  return {
    title,
    lead: ended(purpose),
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

/** `48 hours`, for agents; where actions promise different times, each with its tool. */
export function replyTimes(actions: readonly Action[]): string {
  const times = [...new Set(actions.map(({ replyHours }) => replyHours))];
  if (times.length === 1) return counted(times[0] ?? 0, 'hour');
  return actions.map(({ replyHours, name }) => `${counted(replyHours, 'hour')} (${name})`).join(' or ');
}

/** What the other tools are for; the one before it first. */
export function notFor({ name }: Action, actions: readonly Action[]): string {
  const others = [{ name: 'ask_brand', isFor: 'questions' }, ...actions];
  const at = others.findIndex(other => other.name === name);
  const backwards = [...others.slice(0, at).reverse(), ...others.slice(at + 1).reverse()];
  return backwards.map(other => `${other.isFor} (${other.name})`).join(' or ');
}

/** What can be asked about, as the tool of questions lists it. */
export const topics = (actions: readonly Action[]) =>
  ['services', 'results', 'prices', 'conditions', ...actions.flatMap(action => action.topics)].join(', ');
