import { askBrand } from '../tools/ask-brand.ts';
import type { BucketName } from '../tools/policies.ts';
import type { Tool } from '../tools/tool.ts';

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
}

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
    input: { from: 'body', maxBytes: 8 * 1024 },
    readableFrom: 'anyone',
  },
];

export const STATUS_PATH = '/api/v1/status';
