// The parts of the OpenAPI document that the checks read as a client would.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly example?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Parameter {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly 'x-access': string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>
  >;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Pick<Operation, 'requestBody'> }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Returns the value that a tool such as Swagger UI would fill in, or undefined if it would leave the field empty. */
export function getExample(schema: Schema, document: Document): unknown {
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? schema : (document.components.schemas[name] ?? {});
  if (found.example !== undefined) return found.example;
  if (found.default !== undefined) return found.default;
  const [first] = found.anyOf ?? [];
  if (first) return getExample(first, document);
  if (found.enum) return found.enum[0];
  if (found.type === 'array') {
    const item = found.items && getExample(found.items, document);
    return item === undefined ? undefined : [item];
  }
  if (found.properties) {
    const fields = Object.entries(found.properties);
    return Object.fromEntries(fields.map(([field, each]) => [field, getExample(each, document)]));
  }
  return undefined;
}
