import { toSignedInAccount } from '../../src/accounts/browser-sessions/browser-account.ts';
import { insertBrowserSession } from '../../src/accounts/browser-sessions/browser-session.queries.ts';
import { parseEnv } from '../../src/env.ts';
import { AppError } from '../../src/kernel/errors/errors.ts';
import { execute } from '../../src/kernel/execute/execute.ts';
import { executeForAccount } from '../../src/kernel/execute/execute-for-account.ts';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { createRequestScope, type RequestScope } from '../../src/kernel/operation/request-scope.ts';
import type { Snapshot } from '../../src/kernel/operation/snapshot.ts';
import { createSecret, hashSecret } from '../../src/kernel/secrets/tokens.ts';
import { defaultWords } from '../../src/kernel/text/wording.ts';
import { meteredEnv, ORIGIN } from './api.ts';
import { env } from './env.ts';
import { createIpAddress } from './people.ts';

const DAY_MS = 86_400_000;

interface SignedIn {
  readonly userId: string;
  /** The hash of the browser's cookie. */
  readonly session: string;
}

/** Signs a person in with a new browser. `cookie` is the browser's secret. */
export async function signIn(userId: string, cookie = createSecret()): Promise<SignedIn> {
  const session = hashSecret(cookie);
  const scope = openScope();
  await scope.directory.batch([
    insertBrowserSession(
      { idHash: session, userId, userAgent: 'Test', expiresAt: Date.now() + DAY_MS },
      Date.now(),
    ),
  ]);
  return { userId, session };
}

export interface AccountResponse {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the operation defines its shape.
  body: any;
}

export async function runForAccount(
  { userId, session }: SignedIn,
  operation: AnyOperation,
  input: Record<string, unknown>,
  variables: Partial<Env> = {},
  snapshot: Snapshot = {},
): Promise<AccountResponse> {
  const pending: Promise<unknown>[] = [];
  const scope = openScope(variables, pending);
  const user = await env.DIRECTORY.prepare('SELECT email, name, image FROM users WHERE id = ?')
    .bind(userId)
    .first<{ email: string; name: string; image: string | null }>();
  if (!user) throw new Error(`${userId} has no account`);
  const person = { id: userId, ...user, expires_at: Date.now() + DAY_MS };
  const answer = catchAppError(() =>
    executeForAccount(
      operation,
      scope,
      toSignedInAccount(scope, { idHash: session, person }),
      input,
      null,
      snapshot,
    ),
  );
  return answer.finally(() => Promise.allSettled(pending));
}

export async function runPublic(
  operation: AnyOperation,
  input: Record<string, unknown>,
  variables: Partial<Env> = {},
): Promise<AccountResponse> {
  const pending: Promise<unknown>[] = [];
  const scope = openScope(variables, pending);
  const rejectSignedIn = () => Promise.reject(new Error('no one is signed in'));
  const authenticator = {
    resolve: rejectSignedIn,
    forget: () => undefined,
    guard: () => {
      throw new Error('a public operation has no guard');
    },
  };
  const answer = catchAppError(async () => {
    const request = { request: scope, authenticator, input: () => input, cell: () => scope.cell(0) };
    return (await execute(operation, request)).output;
  });
  return answer.finally(() => Promise.allSettled(pending));
}

async function catchAppError(work: () => Promise<unknown>): Promise<AccountResponse> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { status: error.status, body: error.toBody(defaultWords) };
  }
}

function openScope(variables: Partial<Env> = {}, pending: Promise<unknown>[] = []): RequestScope {
  const all = { ...meteredEnv, ...variables } as Env;
  return createRequestScope({
    env: all,
    config: parseEnv(all),
    origin: ORIGIN,
    clientIp: createIpAddress(),
    waitUntil: (work) => pending.push(work),
  });
}
