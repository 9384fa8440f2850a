import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Role } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** How a client reaches the server: an address, or the command of `aval stdio`. */
export type Target =
  | { readonly url: string }
  | { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> };

/** What the check needs of a client, whoever makes it. `call` gives the text that a model sees. */
export interface Connected {
  readonly names: () => Promise<readonly string[]>;
  readonly call: (name: string, args: Readonly<Record<string, unknown>>) => Promise<string>;
  readonly close: () => Promise<unknown>;
}

export type Connect = (target: Target, folder: string) => Promise<Connected>;

const INFO = { name: 'check', version: '1.0.0' };

const started = ({ command: [command = '', ...args], env }: Extract<Target, { command: unknown }>) => ({
  command,
  args,
  env: { ...env },
  stderr: 'ignore' as const,
});

// The SDK's own types disagree under exactOptionalPropertyTypes: sessionId may be undefined in one of them.
export async function sdkV1(target: Target): Promise<Sdk> {
  const client = new ClientV1(INFO);
  await client.connect(
    Object('url' in target ? new HttpV1(new URL(target.url)) : new StdioV1(started(target))),
  );
  return client;
}

export const sdkV2 = (mode: 'legacy' | 'auto') => async (target: Target) => {
  const client = new ClientV2(INFO, { versionNegotiation: { mode } });
  await client.connect(
    Object('url' in target ? new HttpV2(new URL(target.url)) : new StdioV2(started(target))),
  );
  return client;
};

/** A client of the SDK, whichever its version. */
export interface Sdk {
  getServerVersion(): { name: string; version: string } | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

const sdk =
  (connect: (target: Target) => Promise<Sdk>): Connect =>
  async target => {
    const client = await connect(target);
    return {
      names: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: async (name, args) => textOf(await client.callTool({ name, arguments: { ...args } })),
      close: () => client.close(),
    };
  };

const textOf = (result: object): string => String(Object(result).content[0].text);

/** An older release of the SDK's first generation, as an alias of the folder that the check installs. */
const oldSdk =
  (alias: string): Connect =>
  (target, folder) =>
    sdk(async () => {
      const load = async (path: string) =>
        import(pathToFileURL(createRequire(`${folder}/package.json`).resolve(`${alias}/${path}`)).href);
      const { Client } = await load('client/index.js');
      const client = new Client(INFO, { capabilities: {} });
      if ('url' in target) {
        const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
        await client.connect(new StreamableHTTPClientTransport(new URL(target.url)));
      } else {
        const { StdioClientTransport } = await load('client/stdio.js');
        await client.connect(new StdioClientTransport(started(target)));
      }
      return client;
    })(target, folder);

/** @ai-sdk/mcp, as an alias of the folder that the check installs. */
const aiSdk =
  (alias: string): Connect =>
  async (target, folder) => {
    const load = async (name: string) =>
      import(pathToFileURL(createRequire(`${folder}/package.json`).resolve(name)).href);
    const { createMCPClient } = await load(alias);
    const transport =
      'url' in target
        ? { type: 'http', url: target.url }
        : new (await load(`${alias}/mcp-stdio`)).Experimental_StdioMCPTransport(started(target));
    const client = await createMCPClient({ transport });
    const tools = await client.tools();
    return {
      names: async () => Object.keys(tools),
      call: async (name, args) => textOf(await tools[name].execute(args, { toolCallId: '1', messages: [] })),
      close: () => client.close(),
    };
  };

/** The command line of the Inspector: a process for each request. */
const inspector: Connect = async (target, folder) => {
  const server =
    'url' in target
      ? [target.url, '--transport', 'http']
      : [
          ...Object.entries(target.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
          ...target.command,
        ];
  const run = async (request: readonly string[]) => {
    const args = ['--cli', ...server, '--method', ...request, '--format', 'json'];
    const env = { ...process.env, MCP_INSPECTOR_SECRET_STORE: 'memory' };
    const ran = await promisify(execFile)(`${folder}/node_modules/.bin/mcp-inspector`, args, {
      env,
      timeout: 240_000,
    }).catch(Object);
    if (!ran.stdout) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout).result;
  };
  return {
    names: async () => (await run(['tools/list'])).tools.map(({ name }: { name: string }) => name),
    call: async (name, args) =>
      textOf(await run(['tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args)])),
    close: async () => {},
  };
};

/** The official A2A client: it asks, and that is all that the agent offers there. */
const a2a: Connect = async target => {
  if (!('url' in target)) throw new Error('A2A has no stdio');
  const client = await new ClientFactory().createFromUrl(new URL('/', target.url).href);
  return {
    names: async () => ['ask_brand'],
    call: async (_name, { query = ' ' }) => JSON.stringify(await client.sendMessage(question(String(query)))),
    close: async () => {},
  };
};

/** A question over A2A. */
export const question = (text: string) => ({
  ...{ tenant: '', configuration: undefined, metadata: undefined },
  message: {
    ...{
      messageId: 'm-1',
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      metadata: undefined,
      extensions: [],
    },
    parts: [
      { content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' },
    ],
    referenceTaskIds: [],
  },
});

/** Clients in JavaScript by the name in the table. */
export const JAVASCRIPT: Readonly<Record<string, Connect>> = {
  '@modelcontextprotocol/sdk 1.10.2': oldSdk('sdk-1.10'),
  '@modelcontextprotocol/sdk 1.12.3': oldSdk('sdk-1.12'),
  '@modelcontextprotocol/sdk 1.13.3': oldSdk('sdk-1.13'),
  '@modelcontextprotocol/sdk 1.32.2': sdk(sdkV1),
  '@modelcontextprotocol/client 2.4.0': sdk(sdkV2('legacy')),
  '@modelcontextprotocol/client 2.4.0, auto': sdk(sdkV2('auto')),
  '@ai-sdk/mcp 1.0.101': aiSdk('@ai-sdk/mcp-1'),
  '@ai-sdk/mcp 2.0.99': aiSdk('@ai-sdk/mcp-2'),
  '@modelcontextprotocol/inspector 2.12.0': inspector,
  '@a2a-js/sdk 1.3.0': a2a,
};
