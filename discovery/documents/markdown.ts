import type { Documents } from './document.ts';
import type { Site } from './site.ts';

/** Joins paragraphs, lists and tables with blank lines. */
export const page = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;

export const bullets = (items: readonly string[]): string => items.map(item => `- ${item}`).join('\n');

/**
 * A Markdown table. Cells are plain text and get escaped.
 * @example table(['a', 'b'], [[1, 'x|y']]); // '| a | b |\n| --- | --- |\n| 1 | x\\|y |'
 */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string | number) => String(text).replaceAll('|', '\\|');

export const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

export const jsonBlock = (value: object): string => codeBlock('json', JSON.stringify(value, null, 2));

/** Links to all listed documents. @param listPath path of this list, which it leaves out */
export const documentLinks = ({ baseUrl }: Site, documents: Documents, listPath: string): string[] =>
  documents.flatMap(({ path, listing }) => {
    if (!listing || path === listPath) return [];
    return [`[${listing.title}](${baseUrl}${path}): ${listing.note}`];
  });
