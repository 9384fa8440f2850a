import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bundle, MCPB } from '../mcpb/bundle.ts';
import { manifest } from '../mcpb/manifest.ts';
import { TOOLS } from '../tools/index.ts';
import { temporaryFolder } from './folder.ts';
import { callTool, request } from './mcp-messages.ts';
import { DIAGNOSTIC } from './submission-support.ts';
import { ROOT } from './support.ts';

/** `npm run check:clients`: the bundle, unpacked elsewhere and started as a host does, answers without the checkout. */
const SCHEMA = `${ROOT}../shared/schemas/mcpb-manifest.schema.json`;
const NO_SCHEMA = existsSync(SCHEMA) ? false : 'no ../shared/schemas/mcpb-manifest.schema.json';

const folder = temporaryFolder();

describe('the bundle', { timeout: 300_000 }, () => {
  const unpacked = join(folder, 'unpacked');
  before(async () => {
    const file = join(folder, 'aval.mcpb');
    await bundle(file);
    await promisify(execFile)('npx', ['-y', MCPB, 'unpack', file, unpacked]);
  });

  it('has a manifest that is valid in its JSON Schema', { skip: NO_SCHEMA }, () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const validate = ajv.compile(JSON.parse(readFileSync(SCHEMA, 'utf8')));
    assert.ok(validate(manifest(TOOLS)), ajv.errorsText(validate.errors));
  });

  it('answers from the chosen brand file, and takes a submission as a dry run', async () => {
    const { server } = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    const [asked, sent] = await converse(server.mcp_config, [
      { ...callTool('ask_brand', { query: '¿Cuánto cuesta el diagnóstico?' }), id: 0 },
      { ...callTool('request_diagnostic', DIAGNOSTIC), id: 1 },
      { ...request('ping'), id: 2 },
    ]);
    assert.equal(asked.result.structuredContent.brand, 'Norte Claro');
    assert.equal(asked.result.structuredContent.matches.length > 0, true);
    assert.equal(sent.result.structuredContent.mode, 'dry-run');
  });

  interface Started {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  }

  /** Starts the server as the manifest says, with no other environment, and returns its answers by id. */
  function converse({ args, env }: Started, messages: readonly object[]) {
    const values: Readonly<Record<string, string>> = {
      __dirname: unpacked,
      HOME: folder,
      'user_config.brand_file': `${ROOT}examples/brand.json`,
    };
    const filled = (text: string) => text.replace(/\$\{([^}]+)\}/g, (_, name: string) => values[name] ?? '');
    const child = spawn(process.execPath, args.map(filled), {
      cwd: folder,
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
    });
    child.stdin.end(messages.map(message => `${JSON.stringify(message)}\n`).join(''));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', chunk => (stdout += chunk));
    child.stderr.on('data', chunk => (stderr += chunk));
    return new Promise<ReturnType<typeof JSON.parse>[]>((resolve, reject) => {
      child.on('close', code => {
        const answers = stdout
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line));
        if (code === 0) resolve(answers.sort((a, b) => a.id - b.id));
        else reject(new Error(stderr));
      });
    });
  }
});
