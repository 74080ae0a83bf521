import { signSessionToken } from '../src/accounts/credentials/session-token.ts';
import { PUBLIC_URL, SESSION_SECRET } from './runtime.ts';
import type { World } from './world.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A sequence of calls that can be repeated from the start. */
export type Variant = readonly Call[];

export interface Bounds {
  readonly trips: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

interface BudgetedResponse {
  readonly meta?: { readonly total: number };
  readonly followers?: readonly unknown[];
}

export type BudgetFunction = (answer: BudgetedResponse) => Bounds;

export interface CountedRequest {
  readonly name: string;
  readonly budget: BudgetFunction;
  readonly isWrite?: boolean;
  readonly variants: readonly Variant[];
  /** A call whose Link header contains the URL to request. Used instead of `variants`. */
  readonly follows?: Call;
}

export interface TimedRequest extends Omit<CountedRequest, 'variants'> {
  /** True if the bare worker also runs the request. */
  readonly isCompared?: boolean;
  /** False if the request must take about the same time in workspaces of every size. */
  readonly grows?: boolean;
  /** Filled in during recording if `follows` is set. */
  variants: readonly Variant[];
}

/** Design targets for database round trips. */
export const READ_TRIPS = 1;
export const WRITE_TRIPS = 2;

export const createReadBudget =
  (rowsRead: number): BudgetFunction =>
  () => ({ trips: READ_TRIPS, rowsRead, rowsWritten: 0 });

export const computeSearchBudget: BudgetFunction = ({ meta }) => ({
  trips: READ_TRIPS,
  rowsRead: 500 + 3 * (meta?.total ?? 0),
  rowsWritten: 0,
});

export const createTripBudget =
  (trips: number): BudgetFunction =>
  () => ({ trips, rowsRead: Infinity, rowsWritten: Infinity });

export function buildCall(method: Call['method'], path: string, token: string, body?: object): Call {
  return {
    method,
    path: `/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  };
}

export function createTokenSigner({ workspaceId }: World) {
  const issuer = { secret: SESSION_SECRET, issuer: PUBLIC_URL };
  return async ({ userId }: { userId: string }): Promise<string> =>
    (await signSessionToken(issuer, { userId, workspaceId, cell: 0 }, Date.now())).token;
}
