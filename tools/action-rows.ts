import type { ActionName } from '../brand/profile/action-schema.ts';
import type { Kind } from './words/es.ts';

/** Within this many hours a person replies, where the profile promises no other time. */
export const CONTRACT_REPLY_HOURS = 48;

/** An action of the contract. */
export interface ContractAction extends AgentTexts {
  /** Of its tool. */
  readonly name: ActionName;
  /** Names it in the store, in addresses and in the embed. */
  readonly kind: Kind;
  /** Whoever sends it gets a confirmation by mail. */
  readonly confirms: boolean;
  /** The contract's name for the schema of its fields. */
  readonly schema: string;
}

/** What agents and programmers read of an action, in English. What people read stands in tools/words. */
export interface AgentTexts {
  readonly title: string;
  /** Between the title and the name of the brand. */
  readonly preposition: string;
  /** What it sends, before "to the team of". */
  readonly emails: string;
  /** The same as a sentence of its own. */
  readonly sends: string;
  /** Whose consent it needs. */
  readonly whom: 'person' | 'applicant';
  /** What belongs into the field `context`. */
  readonly asks: string;
  /** Whom or what it is for, as the other tools say. */
  readonly isFor: string;
  /** When to use it, after "Use it". */
  readonly use: string;
  /** What an agent does with it, after "how to". */
  readonly does: string;
  /** What is sent, with its article. */
  readonly noun: string;
  /** What can be asked about because of it. */
  readonly topics: readonly string[];
}

/** Every action, in the order in which they are published. */
export const ROWS: readonly ContractAction[] = [
  {
    name: 'request_diagnostic',
    kind: 'diagnostic',
    confirms: true,
    schema: 'DiagnosticRequest',
    title: 'Request a diagnostic',
    preposition: ' from',
    emails: "Emails a person's request for a diagnostic",
    sends: 'Sends a request for a diagnostic to the team by email.',
    whom: 'person',
    asks: 'What the brand wants to solve, its market, budget and sales data.',
    isFor: 'brands that need help',
    use: 'to request a diagnostic for a person who asked for it',
    does: 'request a diagnostic',
    noun: 'a diagnostic request',
    topics: [],
  },
  {
    name: 'apply_partner_program',
    kind: 'partner',
    confirms: false,
    schema: 'PartnerRequest',
    title: 'Apply to the partner program',
    preposition: ' of',
    emails: "Emails an agency's or consultant's application to the partner program",
    sends: 'Sends an application to the partner program to the team by email.',
    whom: 'applicant',
    asks: 'Who the applicant works for and what they would bring.',
    isFor: 'partners',
    use: 'to apply to the partner program for an agency or an independent consultant who asked for it',
    does: 'apply to the partner program',
    noun: 'a partner application',
    topics: ['partner program'],
  },
];
