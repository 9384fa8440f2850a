/** A bullet list. */
export const bullets = (items: readonly string[]): string => items.map(item => `- ${item}`).join('\n');

/** A table; cells are plain text. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string | number) => String(text).replaceAll('|', '\\|');

/** JSON in a fence. */
export const jsonBlock = (value: object): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

/** Paragraphs, lists and tables, a blank line between them. */
export const page = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`;
