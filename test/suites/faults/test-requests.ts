import { s3 } from '../../files/attachments/presigning.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { assertDocumented, findRoute } from '../../support/contract.ts';
import type { Person } from '../../support/world.ts';

export interface TestRequest {
  method: string;
  path: string;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** Null for requests without a credential. */
  person: Pick<Person, 'token'> | null;
}

export interface TestResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: every response has already been validated against the contract.
  body: any;
  headers: Headers;
}

/** Sends a request, and validates the response, even an error, against the OpenAPI document. */
export async function sendTestRequest(
  request: TestRequest,
  key: string | null,
  bindings: Partial<Env> = {},
): Promise<TestResponse> {
  const { method, path, body, headers, person } = request;
  const response = await send(
    new Request(`${ORIGIN}/v1${path}`, {
      method,
      headers: {
        ...(person && { Authorization: `Bearer ${person.token}` }),
        ...(body && { 'Content-Type': 'application/json' }),
        ...(key !== null && { 'Idempotency-Key': key }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    }),
    { ...s3, ...bindings },
  );
  const seen = {
    status: response.status,
    body: JSON.parse(await response.text()),
    headers: response.headers,
  };
  assertDocumented(findRoute(method, path.split('?')[0] as string), seen, { isTrimmed: false });
  return seen;
}
