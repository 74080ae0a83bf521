import { expect } from 'vitest';
import { TOKENS_PER_BATCH_MAX } from '../../../src/search/index/search-index.queries.ts';
import { buildFramedRequest, post } from '../../mcp/client.ts';
import { readFormFields } from '../../oauth/flow.ts';
import { ORIGIN, send } from '../../support/api.ts';
import { createIpAddress } from '../../support/people.ts';
import { createApiKey, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { type Batch, recordBatches } from './batches.ts';
import { findFormPath, findRoutePath } from './bulk-paths.ts';

/** Together with the limit on tokens, this limit keeps a batch within 250 ms of database time (docs/security.md). */
const CHARACTERS_READ_MAX = 1_500_000;

interface RecordedResponse {
  /** The paths that the request uses, as `listBulkPaths` names them. */
  readonly paths: readonly string[];
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly batches: readonly Batch[];
}

async function recordResponse(
  paths: readonly string[],
  ask: (bindings: Partial<Env>) => Promise<Response>,
): Promise<RecordedResponse> {
  const { bindings, batches } = recordBatches();
  const answer = await ask(bindings);
  return {
    paths,
    status: answer.status,
    text: await answer.text(),
    location: answer.headers.get('Location'),
    batches,
  };
}

/** Sends requests as the owner of the world through the API, forms, pages and tools, and records their batches. */
export async function createRecordedCallers(world: World) {
  const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
  const key = await createApiKey(world.people.owner);
  const { csrf = '' } = readFormFields(await (await owner.browser.get('/sign-out')).text(), '/sign-out');
  return {
    sendToApi: (method: string, path: string, body?: object) =>
      recordResponse([findRoutePath(method, path)], (bindings) =>
        send(
          new Request(`${ORIGIN}/v1${path}`, {
            method,
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            ...(body && { body: JSON.stringify(body) }),
          }),
          bindings,
        ),
      ),
    sendForm: (path: string, fields = '') =>
      recordResponse([findFormPath(path)], (bindings) =>
        owner.browser.request(
          owner.base + path,
          {
            method: 'POST',
            body: `csrf=${csrf}&once=${crypto.randomUUID()}&${fields}&back=${owner.base}/tasks`,
            headers: {
              Origin: ORIGIN,
              'Content-Type': 'application/x-www-form-urlencoded',
              'CF-Connecting-IP': createIpAddress(),
            },
          },
          bindings,
        ),
      ),
    openPage: (path: string) =>
      recordResponse([], (bindings) => owner.browser.request(owner.base + path, {}, bindings)),
    callTool: (token: string, name: string, args: object) => {
      const { body, headers } = buildFramedRequest('modern', 'tools/call', { name, arguments: args });
      const paths = Object.keys(args).map((argument) => `tool ${name}.${argument}`);
      return recordResponse(paths, (bindings) => post(token, body, { headers, variables: bindings }));
    },
  };
}

/** The paths of all requests that were compared with the limits. */
export const measuredPaths = new Set<string>();

export function expectWithinLimits(response: RecordedResponse, note = ''): RecordedResponse {
  const { paths, status, text, batches } = response;
  const what = `${paths.join(', ')} ${note}`;
  for (const path of paths) measuredPaths.add(path);
  expect.soft([200, 201, 204, 303], `${what}: ${status} ${text.slice(0, 200)}`).toContain(status);
  expect.soft(text.slice(0, 400), what).not.toContain('"isError":true');
  for (const { tokens, charactersRead } of batches) {
    expect.soft(tokens, `${what}: tokens of a batch`).toBeLessThanOrEqual(TOKENS_PER_BATCH_MAX);
    expect
      .soft(charactersRead, `${what}: characters that a batch reads`)
      .toBeLessThanOrEqual(CHARACTERS_READ_MAX);
  }
  return response;
}

/** Also fails if the request indexes nothing, and so can't have written the texts. */
export function expectIndexing(response: RecordedResponse, note = ''): RecordedResponse {
  expectWithinLimits(response, note);
  const tokens = response.batches.reduce((sum, each) => sum + each.tokens, 0);
  expect.soft(tokens, `${response.paths.join(', ')} ${note}: tokens`).toBeGreaterThan(0);
  return response;
}

export function expectNoIndexWrites(response: RecordedResponse, note = ''): RecordedResponse {
  expectWithinLimits(response, note);
  expect
    .soft(
      response.batches.some(({ writesSearch }) => writesSearch),
      `${response.paths.join(', ')} ${note}: writes the search index`,
    )
    .toBe(false);
  return response;
}
