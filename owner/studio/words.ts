import { EN, type UI } from './en.ts';
import { ES } from './es.ts';

/** What the studio says, in one language. The page gets it as JSON; `{}` stands for what is filled in. */
export interface StudioWords {
  readonly ui: Readonly<Record<keyof typeof UI, string>>;
  /** Label and help of each field, by its row in fields.ts. */
  readonly fields: Readonly<Record<string, readonly [label: string, help: string]>>;
  readonly choices: Readonly<Record<string, string>>;
}

export const WORDS = { en: EN, es: ES } as const;
