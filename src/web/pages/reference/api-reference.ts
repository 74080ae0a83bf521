import { buildOpenApiDocument } from '../../../kernel/openapi/openapi.ts';
import { apiDescription, routes } from '../../../registry.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
}

interface MediaContent {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

interface ResponseObject extends MediaContent {
  readonly description: string;
}

interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly 'x-access'?: string;
  readonly parameters?: readonly {
    readonly in: 'path' | 'query' | 'header';
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: MediaContent;
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly described: OperationObject;
}

export interface ApiReference {
  readonly text: string;
  readonly groups: ReadonlyMap<string, readonly Endpoint[]>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Caches only one origin: a deployment has one, and forged Host headers could otherwise fill up memory. */
let cachedReference: { origin: string; reference: ApiReference } | null = null;

export function getApiReference(origin: string): ApiReference {
  if (cachedReference?.origin !== origin) cachedReference = { origin, reference: buildApiReference(origin) };
  return cachedReference.reference;
}

function buildApiReference(origin: string): ApiReference {
  const text = JSON.stringify(buildOpenApiDocument(routes, apiDescription, origin));
  const document = JSON.parse(text) as {
    paths: Record<string, Record<string, OperationObject>>;
    webhooks?: Record<string, { post: OperationObject }>;
    components: { schemas: Record<string, Schema>; responses: Record<string, ResponseObject> };
  };
  const { schemas, responses } = document.components;
  const endpoints = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({
      method: method.toUpperCase(),
      path,
      described: { ...each, responses: resolveResponses(each.responses, responses) },
    })),
  );
  const events = Object.values(document.webhooks ?? {}).map(({ post }) => ({
    method: 'POST',
    path: 'your URL',
    described: post,
  }));
  const groups = Map.groupBy([...endpoints, ...events], (each) => each.described.tags[0] ?? '');
  return { text, groups, schemas };
}

function resolveResponses(named: OperationObject['responses'], responses: OperationObject['responses']) {
  return Object.fromEntries(
    Object.entries(named).map(([status, each]) => {
      const { $ref } = each as { $ref?: string };
      return [status, responses[$ref?.split('/').at(-1) ?? ''] ?? each];
    }),
  );
}
