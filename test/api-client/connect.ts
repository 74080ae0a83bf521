import {
  type ClientOptions,
  createClient,
  type EdgeworkClient,
  EdgeworkError,
} from '../../.wrangler/assets/client.js';
import { api, ORIGIN, send } from '../support/api.ts';
import { assertDocumented, findRoute } from '../support/contract.ts';
import { createWorld } from '../support/world.ts';

export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly text: string;
}

/** Called for each request with its number, starting at 1. Returns the response that the client gets, or throws. */
type InterruptRequest = (count: number, deliver: () => Promise<Response>) => Promise<Response>;

/** Creates a client from `/client.js`, records its requests, and checks the responses against the contract. */
export function connectClient(
  token: string | undefined,
  options: Partial<ClientOptions> & { readonly interrupt?: InterruptRequest } = {},
): { client: EdgeworkClient; sent: SentRequest[] } {
  const { interrupt = (_, deliver) => deliver(), ...rest } = options;
  const sent: SentRequest[] = [];
  const fetchFromWorker = async (address: string, init: RequestInit): Promise<Response> => {
    init.signal?.throwIfAborted();
    if (!address.startsWith(ORIGIN)) return fetch(address, init);
    const url = new URL(address);
    const headers = new Headers(init.headers);
    const { body } = init;
    sent.push({ method: init.method ?? 'GET', url, headers, text: typeof body === 'string' ? body : '' });
    return interrupt(sent.length, async () => {
      // `fetch` would add the length when it sends the request.
      if (body instanceof ArrayBuffer) headers.set('Content-Length', String(body.byteLength));
      const response = await send(new Request(address, { ...init, headers }));
      const route = findRoute(init.method ?? 'GET', url.pathname.slice('/v1'.length));
      const documented = {
        status: response.status,
        headers: response.headers,
        body: await response.clone().json(),
      };
      assertDocumented(route, documented, { isTrimmed: url.searchParams.has('fields') });
      return response;
    });
  };
  const client = createClient({
    baseUrl: ORIGIN,
    token,
    fetch: fetchFromWorker as unknown as typeof fetch,
    ...rest,
  });
  return { client, sent };
}

export async function catchError(work: Promise<unknown>): Promise<EdgeworkError> {
  const failure = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof EdgeworkError) return failure;
  throw new Error(`Expected an EdgeworkError; got ${failure}`);
}

export async function prepareTasks() {
  const world = await createWorld();
  const { member } = world.people;
  const projectId = world.projects.joined.id;
  const countTasks = async () => (await api(member.token).get('/tasks')).body.meta.total as number;
  return { world, member, projectId, countTasks };
}
