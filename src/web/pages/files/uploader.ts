import { runAsVisitor, type VisitingMember } from '../../../accounts/browser-sessions/visitor.ts';
import type { Caller } from '../../../kernel/access/access.ts';
import { unauthorizedError } from '../../../kernel/errors/errors.ts';
import { execute } from '../../../kernel/execute/execute.ts';
import type { HttpContext } from '../../../kernel/http/http.ts';
import type { AnyOperation } from '../../../kernel/operation/operation.ts';
import type { IdempotencyKey } from '../../../kernel/sql/idempotency-key.ts';
import { pageNotFoundError } from '../../server/show-page.ts';

export function runAsUploader(
  c: HttpContext,
  method: string,
  path: string,
  work: (uploader: VisitingMember) => Promise<Response>,
): Promise<Response> {
  c.set('route', `${method} ${path}`);
  return runAsVisitor(c, c.req.param('workspace') ?? '', async (visitor) => {
    if (visitor.outcome === 'signed_out')
      throw unauthorizedError("You're signed out. Sign in again in another tab, then continue here.");
    if (visitor.outcome === 'not_a_member') throw pageNotFoundError();
    return work(visitor);
  });
}

interface ExecuteOptions {
  incoming?: Request;
  idempotencyKey?: (caller: Caller) => IdempotencyKey;
}

export function executeForUploader(
  c: HttpContext,
  { authenticator }: VisitingMember,
  operation: AnyOperation,
  input: Record<string, unknown>,
  { incoming, idempotencyKey }: ExecuteOptions = {},
): Promise<{ output: unknown; isReplayed: boolean }> {
  const scope = c.get('scope');
  return execute(operation, {
    request: scope,
    authenticator,
    input: () => input,
    ...(incoming && { incoming }),
    ...(idempotencyKey && { idempotencyKey }),
    cell: (caller) => scope.cell(caller.cell),
    accepted: (caller) => c.set('caller', caller),
  });
}
