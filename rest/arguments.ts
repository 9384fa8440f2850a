import type { H3Event } from 'h3';
import { isBlank } from '../brand/profile/visible.ts';
import type { Origin } from '../tools/deliver.ts';
import { ServiceError } from '../tools/errors.ts';
import { type FieldFault, fieldFaults } from '../tools/faults.ts';
import { MAX_QUERY } from '../tools/fields.ts';
import { idempotencyKey } from '../tools/idempotency-key.ts';
import type { Tool } from '../tools/tool.ts';
import { requestedMessages } from '../tools/words/language.ts';
import { mediaType, readJson } from './body.ts';
import { nodeRequest } from './event.ts';
import { readForm } from './form-body.ts';
import { requireNext, splitForm } from './form-fields.ts';
import { prefersPage, queryOf, visitOf } from './negotiation.ts';
import { isSubmission, type ToolRoute } from './routes.ts';

/** The arguments of a tool, with facts about the sender. */
interface Arguments extends Pick<Origin, 'channel' | 'idempotencyKey' | 'language' | 'suspect' | 'notes'> {
  /** The arguments, unchecked: the tool checks them. */
  readonly input: unknown;
  /** The page for the browser after a success. */
  readonly next?: URL | undefined;
}

export interface ArgumentOptions {
  /** Whether the form asks for consent: one of a bundled page does if there is a privacy policy. */
  readonly asksConsent: boolean;
  /** Whether `_next` may lead there. */
  readonly allowsOrigin: (origin: string) => boolean;
}

/**
 * Reads the arguments of a route: from the query string, from JSON, or from a form.
 * @throws ServiceError `missing_query`, `invalid_request` or `validation_error`
 * @example const { input, ...sender } = await readArguments(event, route, options);
 */
export async function readArguments(
  event: H3Event,
  route: ToolRoute,
  options: ArgumentOptions,
): Promise<Arguments> {
  const { input } = route;
  if (input.from === 'query') return { channel: 'rest', input: queryArguments(event, input.parameters) };
  if (!isSubmission(route)) return { channel: 'rest', input: await readJson(event, { mayBeEmpty: true }) };
  const sender = { idempotencyKey: headerKey(event), language: languageOf(event) };
  if (input.forms.some(type => type === mediaType(event)))
    return { ...sender, ...(await formArguments(event, route, options)) };
  return { ...sender, channel: 'rest', input: await readJson(event, { otherTypes: input.forms }) };
}

/** Reads a form. The page of an error shows the attempt again. */
async function formArguments(event: H3Event, { tool }: ToolRoute, options: ArgumentOptions) {
  const isPerson = prefersPage(event) || event.req.headers.has('sec-fetch-site');
  const names = Object.keys(tool.input.shape);
  const { fault, ...received } = await readForm(event, names);
  const form = splitForm(received.fields, { names, isPerson });
  const { fields, otherFields, notes, suspect } = form;
  const values = notes.consent === undefined ? fields : { ...fields, consent: notes.consent };
  event.context.attempt = { tool, values, otherFields };
  if (fault) throw fault;
  const next = form.next === undefined ? undefined : requireNext(form.next, options.allowsOrigin);
  if (options.asksConsent && notes.consent === undefined)
    throw new ServiceError('validation_error', { issues: [...faultsIn(tool, fields), NO_CONSENT] });
  return {
    channel: 'form',
    input: fields,
    notes,
    suspect,
    next,
    idempotencyKey: headerKey(event) ?? form.key,
  } as const;
}

const NO_CONSENT = { field: 'consent', rule: 'required' } as const;

/** All other faults of a form without consent, so that a person can mend them together. */
function faultsIn({ input }: Tool, fields: unknown): FieldFault[] {
  const { error } = input.safeParse(fields);
  return error ? fieldFaults(error) : [];
}

/** The Idempotency-Key of a submission. @throws ServiceError `validation_error` */
const headerKey = (event: H3Event): string | undefined =>
  idempotencyKey(nodeRequest(event).headersDistinct['idempotency-key'] ?? []);

function languageOf(event: H3Event): string | undefined {
  const { lang, acceptLanguage } = visitOf(event);
  return requestedMessages(lang, acceptLanguage)?.tag;
}

/**
 * Reads the arguments from a query string.
 * @throws ServiceError `missing_query`, with the name of the parameter, which differs from the argument's
 */
function queryArguments(event: H3Event, parameters: Readonly<Record<string, string>>) {
  const query = queryOf(event);
  const values: Record<string, string> = {};
  for (const [parameter, argument] of Object.entries(parameters)) {
    const value = query.get(parameter) ?? '';
    if (isBlank(value)) throw missingParameter(parameter, query.has(argument) ? argument : undefined);
    values[argument] = value;
  }
  return values;
}

function missingParameter(parameter: string, misnamed: string | undefined): ServiceError {
  const hint =
    misnamed === undefined
      ? `Send the question as ${parameter}, a text of 1 to ${MAX_QUERY} characters: /ask?${parameter}=…`
      : `Use ${parameter} instead of ${misnamed}.`;
  return new ServiceError('missing_query', { hint });
}
