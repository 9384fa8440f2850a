import * as z from 'zod';

/** The longest text of a profile, in UTF-16 units: a statement, a boundary, a summary. */
export const MAX_TEXT = 2000;

/** Never trimmed: what is served must be what was signed. */
export const text = (max: number) => z.string().min(1, { abort: true }).max(max).regex(/\S/, 'blank');

/** A language tag (RFC 5646) as far as its form goes: `es`, `en-GB`. */
export const languageTag = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'language_tag');
