import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import { listRequiredScopes } from '../access/access.ts';
import {
  getRouteGroup,
  listPathParameters,
  pickBodyInput,
  pickPathInput,
  pickQueryInput,
  type Route,
} from '../http/route.ts';
import { allowTrimmedOutput, listFieldNames } from '../http/trim-fields.ts';
import { exampleTag } from '../operation/examples.ts';
import { buildErrorResponses } from './openapi-errors.ts';
import { describeWebhookMessages } from './openapi-webhooks.ts';
import { buildResponseHeaders, headerComponents } from './response-headers.ts';

const binary = { type: 'string', format: 'binary' } as const;
const bytesContent = {
  'application/octet-stream': { schema: binary },
  'multipart/form-data': {
    schema: { type: 'object', properties: { chunk: binary }, required: ['chunk'] },
  },
} satisfies ZodOpenApiRequestBodyObject['content'];

/** `about` describes each group of routes, by the first segment of their path. */
export function buildOpenApiDocument(
  routes: readonly Route[],
  about: Readonly<Record<string, string>>,
  serverUrl: string,
) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Edgework',
      version: '1.0.0-beta',
      description: 'Work management as an API: workspaces, projects, tasks, comments, notifications.',
      contact: { name: 'Deployment operator', url: serverUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${serverUrl}/v1` }],
    tags: Object.entries(about).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    components: {
      headers: headerComponents,
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`ew_live_…`), an OAuth access token, or a session token from POST /auth/login.',
        },
      },
    },
    paths: paths as ZodOpenApiPathsObject,
    webhooks: describeWebhookMessages(routes),
  });
}

function describeOperation(route: Route): ZodOpenApiOperationObject {
  const { operation } = route;
  const names = listPathParameters(route.path);
  const [inQuery, inBody] = [addFieldsParameter(route, pickQueryInput(route)), pickBodyInput(route)];
  const isPublic = operation.access === 'public';
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [getRouteGroup(route)],
    ...(operation.description ? { description: operation.description } : {}),
    ...(isPublic ? { security: [] } : {}),
    'x-access': listRequiredScopes(operation.access).join(' ') || operation.access,
    requestParams: {
      ...(names.length > 0 ? { path: pickPathInput(route) } : {}),
      ...(Object.keys(inQuery.shape).length > 0 ? { query: documentCommaSeparatedLists(inQuery) } : {}),
      header: buildRequestHeaders(route),
    },
    ...(Object.keys(inBody.shape).length > 0
      ? { requestBody: { required: true, content: { 'application/json': describeBody(route, inBody) } } }
      : {}),
    ...(route.body === 'bytes' ? { requestBody: { required: true, content: bytesContent } } : {}),
    responses: {
      [String(route.status)]: describeResponse(route, route.status, operation.summary),
      ...(route.okMeans ? { 200: describeResponse(route, 200, route.okMeans) } : {}),
      ...(route.method === 'GET'
        ? {
            304: {
              description: 'Not modified: If-None-Match names the current version.',
              headers: buildResponseHeaders(route, 304),
            },
          }
        : {}),
      ...buildErrorResponses(route),
    },
  };
}

function describeBody({ operation }: Route, schema: z.ZodObject) {
  return { schema, ...(operation.example ? { example: operation.example } : {}) };
}

function describeResponse(route: Route, status: number, description: string) {
  const { output } = route.operation;
  const schema = route.method === 'GET' ? allowTrimmedOutput(output) : output;
  return {
    description,
    headers: buildResponseHeaders(route, status),
    content: { 'application/json': { schema } },
  };
}

function buildRequestHeaders({ method, operation, body }: Route): z.ZodObject {
  const optional = (meta: { description: string; example?: string }) => z.string().optional().meta(meta);
  if (method === 'GET') {
    return z.object({
      'If-None-Match': optional({
        description: 'The ETag of the response you already have.',
        example: exampleTag,
      }),
    });
  }
  if (body === 'bytes') {
    const description = 'SHA-256 of the bytes in hex. Damaged bytes are rejected with 400.';
    return z.object({ 'X-Chunk-SHA256': optional({ description }) });
  }
  if (operation.access === 'public') return z.object({});
  return z.object({
    // No example, because clients that copy it would send the same key with different requests, which is an error.
    'Idempotency-Key': optional({
      description:
        'Makes retries safe: a request with the same key takes effect once within 24 hours. Use a UUID.',
    }),
    ...(operation.isMinimal && {
      Prefer: optional({
        description: '`return=minimal` returns only the id and version of each task, or its error.',
        example: 'return=minimal',
      }),
    }),
    ...(operation.precondition
      ? {
          'If-Match': optional({
            description:
              'The ETag you read, or its leading version number. Returns 412 if the resource has changed since. * matches any version.',
            example: '*',
          }),
        }
      : {}),
  });
}

/** Documents that commas separate the items of a list in a query. OpenAPI's default is one parameter per item. */
function documentCommaSeparatedLists(query: z.ZodObject): z.ZodObject {
  const shape = Object.entries(query.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
    const isList = inner instanceof z.ZodArray;
    return [
      name,
      isList ? schema.meta({ ...schema.meta(), param: { style: 'form', explode: false } }) : schema,
    ];
  });
  return z.object(Object.fromEntries(shape));
}

function addFieldsParameter(route: Route, query: z.ZodObject): z.ZodObject {
  const names = listFieldNames(route.operation.output);
  if (route.method !== 'GET' || names.length === 0) return query;
  return query.extend({
    fields: z
      .string()
      .optional()
      .meta({ description: `Comma-separated names to keep: ${names.join(', ')}.`, example: names[0] }),
  });
}
