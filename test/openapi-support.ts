import assert from 'node:assert/strict';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** openapi.json, as far as tests look into it. */
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
  readonly [member: string]: unknown;
}

interface Operation {
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly (Parameter & Ref)[];
  readonly requestBody?: { readonly description: string; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

export type Schema = Readonly<Record<string, unknown>>;
interface Ref {
  readonly $ref?: string;
}
interface Header {
  readonly required: boolean;
  readonly schema: Schema;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly example?: unknown;
}
interface Media {
  readonly schema: Ref & Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}
interface Answer {
  readonly description: string;
  readonly headers: Readonly<Record<string, Ref>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export async function describedBy(url: string): Promise<Description> {
  return JSON.parse(await (await fetch(`${url}/openapi.json`)).text());
}

/** Every operation with its path and method. */
export function operationsOf({ paths }: Description) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}

/** Of the connection, and what hardens a browser: the same on every response, and nothing a client acts on. */
const UNDESCRIBED = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'access-control-expose-headers',
  'content-security-policy',
  'cross-origin-resource-policy',
  'referrer-policy',
  'strict-transport-security',
  'vary',
  'x-content-type-options',
]);

/** One for all servers that describe themselves alike, whatever their address: compiling takes longer than checking. */
const validators = new Map<string, Ajv2020>();

function validatorOf({ paths, components }: Description): Ajv2020 {
  const key = JSON.stringify({ paths, components });
  const known = validators.get(key);
  if (known) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  for (const [name, pattern] of FORMATS) ajv.addFormat(name, pattern);
  ajv.addSchema({ paths, components }, 'openapi.json');
  validators.set(key, ajv);
  return ajv;
}

/** Checks responses against a description: status, media type, body, and every header, both ways. */
export function createChecker(description: Description) {
  const ajv = validatorOf(description);
  const validate = (pointer: string, value: unknown, where: string) => {
    const check = ajv.getSchema(`openapi.json#${pointer}`);
    assert.ok(check, pointer);
    assert.ok(check(value), `${where}: ${ajv.errorsText(check.errors)}`);
  };

  function checkHeaders(answer: Answer, headers: Headers, where: string): void {
    const described = new Map(Object.keys(answer.headers).map(name => [name.toLowerCase(), name]));
    for (const name of headers.keys()) {
      assert.ok(UNDESCRIBED.has(name) || described.has(name), `${where}: ${name} is not described`);
    }
    for (const [lower, name] of described) {
      const value = headers.get(lower);
      const header = description.components.headers[name];
      if (value === null) assert.ok(!header?.required, `${where}: ${name} is missing`);
      else {
        const read = header?.schema.type === 'integer' ? Number(value) : value;
        validate(`/components/headers/${name}/schema`, read, `${where}: ${name}`);
      }
    }
  }

  return async function check(path: string, method: string, response: Response): Promise<void> {
    const { status, headers } = response;
    const where = `${method} ${path} ${status}`;
    const answer = description.paths[path]?.[method.toLowerCase()]?.responses[status];
    assert.ok(answer, `${where} is not described`);
    checkHeaders(answer, headers, where);
    const text = await response.text();
    if (!answer.content) return assert.equal(text, '', where);
    const type = (headers.get('content-type') ?? '').replace(/;.*/, '');
    assert.ok(answer.content[type], `${where}: ${type} is not described`);
    const body = type === 'application/json' ? JSON.parse(text) : text;
    const steps = ['', 'paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
    validate(steps.map(escapedStep).join('/'), body, where);
  };
}

/** A step of a JSON pointer inside a URI fragment (RFC 6901, 6). */
const escapedStep = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');

const FORMATS: readonly [string, RegExp | true][] = [
  ['email', /^\S+@\S+\.\S+$/],
  ['date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/],
  ['uri', /^[a-z][a-z0-9+.-]*:\S+$/],
  ['int32', true],
];
