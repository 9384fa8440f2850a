import { applyPartnerProgram } from '../tools/apply-partner-program.ts';
import { askBrand } from '../tools/ask-brand.ts';
import type { BucketName } from '../tools/policies.ts';
import { requestDiagnostic } from '../tools/request-diagnostic.ts';
import type { Tool } from '../tools/tool.ts';
import { MAX_BODY_BYTES } from './http/body.ts';

/** A tool on the REST facade. */
export interface ToolRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Further paths with the same behaviour. */
  readonly aliases: readonly string[];
  readonly tool: Tool;
  /** `request`: every request takes a slot; `accepted`: only a submission that validated. */
  readonly limit: { readonly bucket: BucketName; readonly counts: 'request' | 'accepted' };
  readonly input: QueryInput | BodyInput;
  readonly readableFrom: 'anyone' | 'listed';
}

/** Arguments from the query string; parameters without a row are ignored (analytics tags). */
interface QueryInput {
  readonly from: 'query';
  /** Query parameter → argument. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface BodyInput {
  readonly from: 'body';
  readonly maxBytes: number;
  /** Media types besides application/json. */
  readonly forms: readonly FormType[];
}

export type FormType = 'application/x-www-form-urlencoded' | 'multipart/form-data';

const FORM_TYPES: readonly FormType[] = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** The REST facade: one row a method and path. Allow, OPTIONS, HEAD and the OpenAPI description follow from it. */
export const ROUTES: readonly ToolRoute[] = [
  {
    method: 'GET',
    path: '/ask',
    aliases: [],
    tool: askBrand,
    limit: { bucket: 'ask', counts: 'request' },
    input: { from: 'query', parameters: { q: 'query' } },
    readableFrom: 'anyone',
  },
  {
    method: 'POST',
    path: '/ask',
    aliases: [],
    tool: askBrand,
    limit: { bucket: 'ask', counts: 'request' },
    input: { from: 'body', maxBytes: MAX_BODY_BYTES, forms: [] },
    readableFrom: 'anyone',
  },
  {
    method: 'POST',
    path: '/api/v1/contact',
    aliases: ['/api/contact'],
    tool: requestDiagnostic,
    limit: { bucket: 'forms', counts: 'accepted' },
    input: {
      from: 'body',
      maxBytes: MAX_BODY_BYTES,
      forms: FORM_TYPES,
    },
    readableFrom: 'listed',
  },
  {
    method: 'POST',
    path: '/api/v1/partners',
    aliases: ['/api/partners'],
    tool: applyPartnerProgram,
    limit: { bucket: 'forms', counts: 'accepted' },
    input: { from: 'body', maxBytes: MAX_BODY_BYTES, forms: [] },
    readableFrom: 'listed',
  },
];

/**
 * The forms of the bundled pages: GET shows one, POST sends it. No part of the published API, which takes applications
 * as JSON only; the same tools behind them, and the same bucket.
 */
export const FORM_ROUTES: readonly ToolRoute[] = [
  { path: '/forms/diagnostic', tool: requestDiagnostic },
  { path: '/forms/partner', tool: applyPartnerProgram },
].map(row => ({
  ...row,
  method: 'POST',
  aliases: [],
  limit: { bucket: 'forms', counts: 'accepted' },
  input: { from: 'body', maxBytes: MAX_BODY_BYTES, forms: FORM_TYPES },
  readableFrom: 'listed',
}));

export const STATUS_PATH = '/api/v1/status';
