import type { Site } from '../documents/site.ts';
import { EMBED } from './client.ts';
import { themeOf } from './theme.ts';

/** /embed.js: the question box and the forms as elements for the pages of other sites (client/embed.js), with address and style. */
export function embedScript({ baseUrl, profile }: Pick<Site, 'baseUrl' | 'profile'>): string {
  const server = { url: baseUrl, style: themeOf(profile?.colors).embed + EMBED.style };
  return EMBED.script.replace('(()=>{', () => `(()=>{const server=${JSON.stringify(server)};`);
}
