import { type Schema, Validator } from '@cfworker/json-schema';
import { errorStatus } from '../../src/kernel/errors/errors.ts';
import type { Route } from '../../src/kernel/http/route.ts';
import { buildOpenApiDocument } from '../../src/kernel/openapi/openapi.ts';
import { apiDescription, routes } from '../../src/registry.ts';

interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

interface DocumentedResponse {
  $ref?: string;
  headers: Record<string, unknown>;
  content: {
    'application/json': {
      schema: JsonSchema;
      'x-with-fields'?: JsonSchema;
      examples?: Record<string, { summary: string; value: unknown }>;
    };
  };
}

interface DocumentedOperation {
  responses: Record<string, DocumentedResponse>;
}

export const openApiDocument = buildOpenApiDocument(
  routes,
  apiDescription,
  'https://edgework.test',
) as unknown as {
  openapi: string;
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    responses: Record<string, DocumentedResponse>;
    headers: Record<string, unknown>;
    securitySchemes: Record<string, unknown>;
  };
  webhooks: Record<
    string,
    { post: { requestBody: { content: { 'application/json': { schema: JsonSchema } } } } }
  >;
};

/** Security and CORS headers don't need to be documented. */
const documentedHeaders = Object.keys(openApiDocument.components.headers);

const validators = new Map<string, Validator>();

export function findRoute(method: string, path: string): Route | null {
  const segments = path.split('/');
  const matches = (route: Route) => {
    const pattern = route.path.split('/');
    return (
      route.method === method &&
      pattern.length === segments.length &&
      pattern.every((part, index) =>
        part.startsWith(':') ? segments[index] !== '' : part === segments[index],
      )
    );
  };
  return routes.find(matches) ?? null;
}

export function getDocumentedOperation(route: Route): DocumentedOperation {
  const path = route.path.replace(/:(\w+)/g, '{$1}');
  const operation = openApiDocument.paths[path]?.[route.method.toLowerCase()];
  if (!operation) throw new Error(`${route.method} ${route.path} is not in the OpenAPI document`);
  return { ...operation, responses: resolveResponses(operation.responses) };
}

function resolveResponses(responses: Record<string, DocumentedResponse>): Record<string, DocumentedResponse> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, each]) => [
      status,
      openApiDocument.components.responses[each.$ref?.split('/').at(-1) ?? ''] ?? each,
    ]),
  );
}

export function assertDocumented(
  route: Route | null,
  answer: { status: number; body: unknown; headers: Headers },
  options: { isTrimmed: boolean },
) {
  if (answer.status >= 400) assertErrorBody(answer);
  if (!route) {
    if (answer.status === 404) return;
    throw new Error(`No route is registered here, and the response is ${answer.status}`);
  }
  const name = `${route.method} ${route.path}`;
  const documented = getDocumentedOperation(route).responses[String(answer.status)];
  if (!documented) throw new Error(`${name} returned ${answer.status}, which is not documented`);

  const foreign = documentedHeaders.filter(
    (header) => answer.headers.has(header) && !documented.headers[header],
  );
  if (foreign.length > 0) throw new Error(`${name} returned ${answer.status} with undocumented ${foreign}`);

  const isTrimmed = options.isTrimmed && answer.status < 400;
  const key = `${name} ${answer.status} ${isTrimmed}`;
  let validator = validators.get(key);
  if (!validator) {
    const { schema, 'x-with-fields': trimmed } = documented.content['application/json'];
    const expected = isTrimmed && trimmed ? { anyOf: [schema, trimmed] } : schema;
    const whole = omitExamples({ ...expected, components: openApiDocument.components });
    validator = new Validator(whole as Schema, '2020-12', false);
    validators.set(key, validator);
  }
  const { valid, errors } = validator.validate(answer.body);
  if (valid) return;
  const reasons = errors.slice(-4).map((each) => `${each.instanceLocation}: ${each.error}`);
  throw new Error(
    `${name} returned ${answer.status} with a body that its schema rejects:\n${reasons.join('\n')}\n${JSON.stringify(answer.body).slice(0, 2000)}`,
  );
}

export function assertDocumentedMessage(name: string, body: unknown) {
  const schema = openApiDocument.webhooks[name]?.post.requestBody.content['application/json'].schema;
  if (!schema) throw new Error(`No message ${name} is documented`);
  const whole = omitExamples({ ...schema, components: openApiDocument.components }) as Schema;
  const { valid, errors } = new Validator(whole, '2020-12', false).validate(body);
  if (valid) return;
  const reasons = errors.slice(-4).map((each) => `${each.instanceLocation}: ${each.error}`);
  throw new Error(`${name} was sent with another body:\n${reasons.join('\n')}\n${JSON.stringify(body)}`);
}

/** The validator would read an `id` in an example as the id of a schema. */
function omitExamples(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema, (name, value) => (name === 'example' ? undefined : value)));
}

function assertErrorBody({ status, body }: { status: number; body: unknown }) {
  const error = (body as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  const isKnown = typeof error?.code === 'string' && Object.hasOwn(errorStatus, error.code);
  const hasMessage = typeof error?.message === 'string' && error.message.length > 0;
  const isBare = Object.keys(body ?? {}).length === 1 && Object.keys(error ?? {}).length === 2;
  if (isKnown && hasMessage && isBare) return;
  throw new Error(`${status} without the error body of the contract: ${JSON.stringify(body)}`);
}
