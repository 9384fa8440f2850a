import { memoObject } from '../../rest/http/memo.ts';
import { type JsonBody, jsonText, memoBody } from '../../rest/http/reply.ts';

interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

/** What `tools/call` answers (MCP 2025-06-18, CallToolResult). */
export interface ToolResult {
  readonly content: readonly TextBlock[];
  readonly structuredContent?: object;
  readonly isError?: true;
}

/** The same JSON twice: structured for those who read the schema, as text for the others. */
export const succeeded: (output: object) => ToolResult = memoObject(output => ({
  content: [textBlock(output)],
  structuredContent: output,
}));

/** As text alone: clients that hold `structuredContent` against the output schema would hide the error. */
export function failed(error: object): ToolResult {
  return { content: [textBlock(error)], isError: true };
}

const textBlock = (value: object): TextBlock => ({ type: 'text', text: jsonText(value) });

/** The JSON of a result; a frozen one is rendered once. */
export const resultBody: (result: object) => JsonBody = memoBody(resultText);

/** What a tool answered is JSON already, in its text block: rendering it once more would take a third of the time. */
function resultText(result: Partial<ToolResult>): string {
  const { structuredContent, ...others } = result;
  const rendered = result.content?.[0]?.text;
  if (structuredContent === undefined || rendered === undefined) return JSON.stringify(result);
  return `${JSON.stringify(others).slice(0, -1)},"structuredContent":${rendered}}`;
}
