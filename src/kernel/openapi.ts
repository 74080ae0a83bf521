import * as z from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { errorStatus } from './errors.ts';
import { fieldNames } from './fields.ts';
import { describeMessages } from './openapi-webhooks.ts';
import { headerComponents, responseHeaders } from './response-headers.ts';
import { inputInBody, inputInPath, inputInQuery, pathNames, type Route } from './route.ts';

const errorBody = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorStatus) as [keyof typeof errorStatus]),
      message: z.string().meta({ description: 'Names the problem and the recovery.' }),
    }),
  })
  .meta({
    id: 'Error',
    example: { error: { code: 'not_found', message: "No task with id '9' is visible to this credential." } },
  });

const errorResponses: Record<string, string> = {
  400: 'invalid_request: the request is malformed or a value is not allowed',
  401: 'unauthorized: the credential is missing, invalid or revoked',
  403: 'forbidden or forbidden_plan: the role, scope or plan does not reach',
  404: 'not_found: it does not exist, or you may not see it',
  412: 'invalid_request: If-Match names another version',
  429: 'rate_limited: wait as long as Retry-After says',
  500: 'internal: our fault; safe to retry',
};

const binary = { type: 'string', format: 'binary' } as const;
const bytesContent = {
  'application/octet-stream': { schema: binary },
  'multipart/form-data': {
    schema: { type: 'object', properties: { chunk: binary }, required: ['chunk'] },
  },
} satisfies ZodOpenApiRequestBodyObject['content'];

/** The OpenAPI 3.1 document, derived from the routes so that nothing is written twice. */
export function openApiDocument(routes: readonly Route[], serverUrl: string) {
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
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${serverUrl}/v1` }],
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
    webhooks: describeMessages(routes),
  });
}

function describeOperation(route: Route): ZodOpenApiOperationObject {
  const { operation } = route;
  const names = pathNames(route.path);
  const [inQuery, inBody] = [withFields(route, inputInQuery(route)), inputInBody(route)];
  const isPublic = operation.access === 'public';
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [route.path.split('/')[1] ?? ''],
    ...(operation.description ? { description: operation.description } : {}),
    ...(isPublic ? { security: [] } : {}),
    'x-access': operation.access,
    requestParams: {
      ...(names.length > 0 ? { path: inputInPath(route) } : {}),
      ...(Object.keys(inQuery.shape).length > 0 ? { query: inQuery } : {}),
      header: headersOf(route),
    },
    ...(Object.keys(inBody.shape).length > 0
      ? { requestBody: { required: true, content: { 'application/json': { schema: inBody } } } }
      : {}),
    ...(route.body === 'bytes' ? { requestBody: { required: true, content: bytesContent } } : {}),
    responses: withHeaders(route, {
      [String(route.status)]: {
        description: operation.summary,
        content: { 'application/json': { schema: operation.output } },
      },
      ...(route.method === 'GET'
        ? { 304: { description: 'If-None-Match names this version; no body.' } }
        : {}),
      ...(route.okMeans
        ? {
            200: {
              description: route.okMeans,
              content: { 'application/json': { schema: operation.output } },
            },
          }
        : {}),
      ...Object.fromEntries(
        Object.entries(errorResponses).map(([status, description]) => [
          status,
          { description, content: { 'application/json': { schema: errorBody } } },
        ]),
      ),
    }),
  };
}

function withHeaders(route: Route, responses: Record<string, ZodOpenApiResponseObject>) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, headers: responseHeaders(route, Number(status)) },
    ]),
  );
}

function headersOf({ method, operation, body }: Route): z.ZodObject {
  const optional = (description: string, example: string) =>
    z.string().optional().meta({ description, example });
  if (method === 'GET')
    return z.object({ 'If-None-Match': optional('ETag of the answer you have.', '"kM2…"') });
  if (operation.access === 'public' || body === 'bytes') return z.object({});
  return z.object({
    'Idempotency-Key': optional(
      'Makes a retry safe: the same key is carried out once, for 24 hours.',
      'b3f1c0de',
    ),
    ...(operation.precondition
      ? { 'If-Match': optional('ETag of the version that you mean; another one answers 412.', '"kM2…"') }
      : {}),
  });
}

function withFields(route: Route, query: z.ZodObject): z.ZodObject {
  const names = fieldNames(route.operation.output);
  if (route.method !== 'GET' || names.length === 0) return query;
  return query.extend({
    fields: z
      .string()
      .optional()
      .meta({ description: `Comma-separated names to keep: ${names.join(', ')}.`, example: names[0] }),
  });
}
