import type { ToolRoute } from '../../rest/routes.ts';
import type { ToolDescription } from '../../tools/tool.ts';
import { exampleArguments } from '../documents/markdown.ts';
import { schemaNames, schemaRef } from './schemas.ts';

type BodyInput = Extract<ToolRoute['input'], { from: 'body' }>;

/** One schema for every media type that the route accepts. */
export function requestBody(tool: ToolDescription, { forms, maxBytes }: BodyInput) {
  const [request] = schemaNames(tool);
  const media = { schema: schemaRef(request), example: exampleArguments(tool) };
  return {
    required: true,
    description: `At most ${maxBytes} bytes, UTF-8, not compressed.`,
    content: Object.fromEntries(['application/json', ...forms].map(type => [type, media])),
  };
}
