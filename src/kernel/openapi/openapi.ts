import * as z from 'zod';
import {
  createDocument,
  createSchema,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
} from 'zod-openapi';
import { type Access, listRequiredScopes, type OAuthScope } from '../access/access.ts';
import {
  getRouteGroup,
  listPathParameters,
  pickBodyInput,
  pickPathInput,
  type Route,
} from '../http/route.ts';
import { getTrimmedOutputSchema } from '../http/trim-fields.ts';
import { describeDeprecation } from '../operation/deprecation.ts';
import type { AnyOperation } from '../operation/operation.ts';
import { buildErrorResponses } from './openapi-errors.ts';
import { describeWebhookMessages } from './openapi-webhooks.ts';
import { buildHeaderSchema, buildQuerySchema, getTrimmedSchemaName } from './request-parameters.ts';
import { buildResponseHeaders, pickHeaderComponents } from './response-headers.ts';

/** Omits multipart, because a choice of media types makes generated clients accept bodies that they can't send. */
const bytesContent = {
  'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
} satisfies ZodOpenApiRequestBodyObject['content'];

export interface ApiDescription {
  readonly groups: Readonly<Record<string, string>>;
  readonly scopes: Readonly<Record<OAuthScope, string>>;
  readonly oauth: { readonly authorizePath: string; readonly tokenPath: string };
}

export function buildOpenApiDocument(
  routes: readonly Route[],
  { groups, scopes, oauth }: ApiDescription,
  serverUrl: string,
) {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeOperation(route) };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Edgework',
      version: '1.0.0-beta',
      description: 'Work management as an API: workspaces, projects, tasks, comments, notifications.',
      contact: { name: 'Deployment operator', url: serverUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${serverUrl}/v1` }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    security: [{ bearer: [] }],
    components: {
      headers: pickHeaderComponents(routes),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API key (`ew_live_…`), an OAuth access token, or a session token from POST /auth/login.',
        },
        oauth2: {
          type: 'oauth2',
          description:
            'An app acts for a person who authorized it. PKCE with S256 is required, and clients have no secret.',
          flows: {
            authorizationCode: {
              authorizationUrl: `${serverUrl}${oauth.authorizePath}`,
              tokenUrl: `${serverUrl}${oauth.tokenPath}`,
              scopes: { ...scopes },
            },
          },
        },
      },
    },
    paths: paths as ZodOpenApiPathsObject,
    webhooks: describeWebhookMessages(routes),
  });
  const { components } = document;
  return {
    ...document,
    components: { ...components, schemas: { ...components?.schemas, ...buildTrimmedSchemas(routes) } },
  };
}

function describeOperation(route: Route): ZodOpenApiOperationObject {
  const { operation } = route;
  const names = listPathParameters(route.path);
  const [inQuery, inBody] = [buildQuerySchema(route), pickBodyInput(route)];
  return {
    operationId: operation.name,
    summary: operation.summary,
    tags: [getRouteGroup(route)],
    ...buildDescription(operation),
    security: buildSecurityRequirements(operation.access),
    'x-access': listRequiredScopes(operation.access).join(' ') || operation.access,
    requestParams: {
      ...(names.length > 0 ? { path: pickPathInput(route) } : {}),
      ...(Object.keys(inQuery.shape).length > 0 ? { query: inQuery } : {}),
      header: buildHeaderSchema(route),
    },
    ...(Object.keys(inBody.shape).length > 0
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': describeRequestBody(route, inBody) },
          },
        }
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

/** Endpoints without a scope accept only session tokens, which apps can't get. */
function buildSecurityRequirements(access: Access): Record<string, string[]>[] {
  if (access === 'public') return [];
  const needed = listRequiredScopes(access);
  return needed.length === 0 ? [{ bearer: [] }] : [{ bearer: [] }, { oauth2: [...needed] }];
}

function buildDescription({ description, deprecated }: AnyOperation) {
  const text = [description, deprecated && describeDeprecation(deprecated)].filter(Boolean).join(' ');
  return { ...(text && { description: text }), ...(deprecated && { deprecated: true }) };
}

function describeRequestBody({ operation }: Route, schema: z.ZodObject) {
  return { schema, ...(operation.example ? { example: operation.example } : {}) };
}

function describeResponse(route: Route, status: number, description: string) {
  const { output } = route.operation;
  const trimmed = getTrimmedSchemaName(route);
  return {
    description,
    headers: buildResponseHeaders(route, status),
    content: {
      'application/json': {
        schema: output,
        // Uses the complete response's schema, because a union would make every field optional in generated types.
        ...(trimmed && { 'x-with-fields': { $ref: `#/components/schemas/${trimmed}` } }),
      },
    },
  };
}

function buildTrimmedSchemas(routes: readonly Route[]) {
  const trimmed = routes.flatMap((route) => {
    const name = getTrimmedSchemaName(route);
    return name ? [[name, getTrimmedOutputSchema(route.operation.output) as z.ZodType]] : [];
  });
  return createSchema(z.object(Object.fromEntries(trimmed)), { io: 'output' }).components;
}
