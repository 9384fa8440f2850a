import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('.', import.meta.url);

/** The scripts and styles of this folder, by name. release/build.js replaces this module by their text. */
export const FILES: ReadonlyMap<string, string> = new Map(
  readdirSync(FOLDER).map(name => [name, readFileSync(new URL(name, FOLDER), 'utf8')]),
);
