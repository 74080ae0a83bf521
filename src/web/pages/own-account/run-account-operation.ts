import { toSignedInAccount } from '../../../accounts/browser-sessions/browser-account.ts';
import type { Browser } from '../../../accounts/browser-sessions/browser-session.ts';
import { executeForAccount } from '../../../kernel/execute/execute-for-account.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import type { Snapshot } from '../../../kernel/operation/snapshot.ts';
import type { IdempotencyKey } from '../../../kernel/sql/idempotency-key.ts';

export function runAccountOperation(
  c: HttpContext,
  browser: Browser,
  operation: AnyOperation,
  input: unknown,
  key: IdempotencyKey | null = null,
  snapshot: Snapshot = {},
): Promise<unknown> {
  const { person } = browser;
  if (!person) throw new Error(`${operation.name} needs a signed-in person`);
  const scope = c.get('scope');
  return executeForAccount(
    operation,
    scope,
    toSignedInAccount(scope, { ...browser, person }),
    input,
    key,
    snapshot,
  );
}

export function redirectToSignIn(c: HttpContext, next: string): Response {
  return c.redirect(`/sign-in?next=${encodeURIComponent(next)}`, 303);
}
