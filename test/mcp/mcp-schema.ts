import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ROOT } from '../support/folder.ts';

/** The schema of a revision of MCP, which is no part of the project. @param place of its definitions */
export function mcpSchema(revision: string, place: 'definitions' | '$defs') {
  const file = `${ROOT}../shared/schemas/mcp-${revision}.schema.json`;
  const isThere = existsSync(file);
  const ajv = new (place === '$defs' ? Ajv2020 : Ajv)({ strict: false, validateFormats: false });
  if (isThere) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'mcp');
  return {
    /** Why messages are not held against it; `false` where they are. */
    missing:
      !isThere &&
      `no ../shared/schemas/mcp-${revision}.schema.json (modelcontextprotocol, schema/${revision})`,
    /** A value against a definition, e.g. `CallToolResult`. */
    holds(definition: string, value: unknown): void {
      if (!isThere) return;
      const validate = ajv.getSchema(`mcp#/${place}/${definition}`);
      assert.ok(validate, definition);
      assert.ok(validate(value), `${definition}: ${ajv.errorsText(validate.errors)}`);
    },
  };
}
