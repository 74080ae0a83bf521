import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { authenticate } from '../../src/accounts/credentials/authenticate.ts';
import { parseEnv } from '../../src/env.ts';
import { AppError } from '../../src/kernel/errors/errors.ts';
import { execute } from '../../src/kernel/execute/execute.ts';
import type { HttpContext } from '../../src/kernel/http/http.ts';
import type { AnyOperation } from '../../src/kernel/operation/operation.ts';
import { createRequestScope } from '../../src/kernel/operation/request-scope.ts';
import type { Snapshot } from '../../src/kernel/operation/snapshot.ts';
import { defaultWords } from '../../src/kernel/text/wording.ts';
import { meteredEnv, ORIGIN } from './api.ts';
import { takeViolations } from './metered-d1.ts';
import { getStatementLimit } from './statement-limit.ts';

export interface FormResponse {
  /** 200, or the status of the error. */
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the operation defines its shape.
  body: any;
  trips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

/**
 * Runs an operation of the web app as the person with this session token. `attempts` is the number of times that the
 * operation may run if it loses races, and `snapshot` contains the values that the page showed.
 */
export async function runForm(
  token: string,
  operation: AnyOperation,
  input: Record<string, unknown>,
  variables: Partial<Env> = {},
  attempts = 1,
  snapshot: Snapshot = {},
): Promise<FormResponse> {
  takeViolations();
  const env = { ...meteredEnv, ...variables } as Env;
  const context = createExecutionContext();
  const scope = createRequestScope({
    env,
    config: parseEnv(env),
    origin: ORIGIN,
    waitUntil: (work) => context.waitUntil(work),
  });
  const http = { get: () => scope, req: { header: () => `Bearer ${token}` } } as unknown as HttpContext;
  const answer = { status: 200, body: null as unknown };
  try {
    const { output } = await execute(operation, {
      request: scope,
      authenticator: authenticate(http),
      input: () => input,
      cell: (caller) => scope.cell(caller.cell),
      snapshot,
    });
    answer.body = output;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    answer.status = error.status;
    answer.body = error.toBody(defaultWords);
  }
  await waitOnExecutionContext(context);
  const { trips, statements, rowsRead, rowsWritten } = scope.meter;
  const violations = takeViolations();
  if (violations.length > 0) throw new Error(`${operation.name}: ${violations.join('\n')}`);
  if (statements > getStatementLimit(operation.name) * attempts)
    throw new Error(`${operation.name} sent ${statements} statements`);
  return { ...answer, trips, statements, rowsRead, rowsWritten };
}
