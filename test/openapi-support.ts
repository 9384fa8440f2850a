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
