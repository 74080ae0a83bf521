import * as z from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { type ErrorCode, errorStatus } from '../errors/errors.ts';
import type { Route } from '../http/route.ts';
import { buildResponseHeaders } from './response-headers.ts';

const errorBody = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
      message: z.string().meta({ description: 'What went wrong and how to fix it.' }),
    }),
  })
  .meta({ id: 'Error' });

interface ErrorExample {
  readonly code: ErrorCode;
  readonly when: string;
  readonly message: string;
}

interface ErrorDescription {
  readonly description: string;
  readonly examples: readonly ErrorExample[];
}

const errorDescriptions: Readonly<Record<number, ErrorDescription>> = {
  400: {
    description: '`invalid_request`: the request is malformed or contains an invalid value',
    examples: [
      {
        code: 'invalid_request',
        when: "A value isn't allowed. The Error-Field header names the field or parameter.",
        message: "priority must be one of low, medium, high; got 'urgent'",
      },
    ],
  },
  401: {
    description: '`unauthorized`: the credential is missing, invalid or revoked',
    examples: [
      {
        code: 'unauthorized',
        when: 'The Authorization header contains a revoked key.',
        message:
          "This API key was revoked or doesn't exist. Check that you copied the whole key, or create a new one under Connected apps.",
      },
    ],
  },
  403: {
    description: "`forbidden` or `forbidden_plan`: the role, scope or plan doesn't allow the request",
    examples: [
      {
        code: 'forbidden',
        when: "The credential lacks the scope named in WWW-Authenticate, or the role isn't sufficient.",
        message:
          'This token lacks the scope tasks:write. Request it when the person authorizes your app. This token has: tasks:read.',
      },
      {
        code: 'forbidden_plan',
        when: "The workspace's plan doesn't include the feature.",
        message: 'Recurring meetings require the Medium or Pro plan.',
      },
    ],
  },
  404: {
    description: "`not_found`: the resource doesn't exist or isn't visible to you",
    examples: [
      {
        code: 'not_found',
        when: "An id in the path or body is unknown, or you aren't allowed to see the item.",
        message: "No task with id '9' is visible to this credential. Use GET /v1/tasks to find valid ids.",
      },
    ],
  },
  412: {
    description: "`invalid_request`: the version in If-Match isn't the current version",
    examples: [
      {
        code: 'invalid_request',
        when: 'If-Match names an earlier version, or the resource has no versions.',
        message: 'If-Match must name the current version: the resource has changed since you read it.',
      },
    ],
  },
  429: {
    description: '`rate_limited`: too many requests; wait for the number of seconds in Retry-After',
    examples: [
      {
        code: 'rate_limited',
        when: 'The limit in X-RateLimit-Limit was reached.',
        message: 'Too many requests. Try again in 4 minutes.',
      },
    ],
  },
  500: {
    description: '`internal`: an error on our end; you can send the request again',
    examples: [
      {
        code: 'internal',
        when: 'Edgework failed to handle the request. X-Request-Id identifies it in the logs.',
        message: 'Something went wrong on our end. Send the request again.',
      },
    ],
  },
  503: {
    description: '`internal`: the database is overloaded; wait for the number of seconds in Retry-After',
    examples: [
      {
        code: 'internal',
        when: "The database didn't respond in time.",
        message:
          "The database is overloaded or isn't responding. Wait 5 seconds, then send the request again.",
      },
    ],
  },
};

export function buildErrorResponses(route: Route): Record<string, ZodOpenApiResponseObject> {
  const isPublic = route.operation.access === 'public';
  const statuses = Object.keys(errorDescriptions).filter((status) => canReturnStatus(route, Number(status)));
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      getErrorResponse(route, Number(status), `${isPublic ? 'Public' : ''}Error${status}`),
    ]),
  );
}

function canReturnStatus({ operation }: Route, status: number): boolean {
  // If a resource has no versions, a write with any `If-Match` except `*` also returns 412.
  if (status === 412) return operation.effect === 'write' && operation.access !== 'public';
  if (status === 403 || status === 404) return operation.access !== 'public';
  return true;
}

/** Cached by name, because each OpenAPI component name must refer to a single object. */
const responsesById = new Map<string, ZodOpenApiResponseObject>();

function getErrorResponse(route: Route, status: number, id: string): ZodOpenApiResponseObject {
  const known = responsesById.get(id);
  if (known) return known;
  const { description, examples: described } = errorDescriptions[status] as ErrorDescription;
  const examples = described.map(({ code, when, message }) => [
    code,
    { summary: when, value: { error: { code, message } } },
  ]);
  const response = {
    id,
    description,
    headers: buildResponseHeaders(route, status),
    content: { 'application/json': { schema: errorBody, examples: Object.fromEntries(examples) } },
  };
  responsesById.set(id, response);
  return response;
}
