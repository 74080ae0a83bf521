import type { Caller } from '../kernel/access.ts';
import { type Database, GuardedDatabase, StaleCaller } from '../kernel/database.ts';
import { AppError, internalError } from '../kernel/errors.ts';
import { type Authenticator, execute, type RateLimiter } from '../kernel/execute.ts';
import type { RequestScope } from '../kernel/request-scope.ts';
import type { ToolContext } from '../kernel/tool.ts';
import { resolveReferences } from './references.ts';

const ATTEMPTS_MAX = 3;

/** Errors for the client and not for the model: a token that was revoked while the tool ran, a full window. */
const answersByHttp: ReadonlySet<string> = new Set(['unauthorized', 'rate_limited']);

/** One HTTP request to `/mcp`: its credential, and whether that held in the tools that it called. */
export interface Session extends ToolContext {
  readonly request: RequestScope;
  readonly caller: Caller;
  /** Throws 401 or 429 unless a guard held in this request, in a tool or here. */
  settle(): Promise<void>;
}

export async function openSession(
  request: RequestScope,
  authenticator: Authenticator,
  rateLimiter: RateLimiter,
): Promise<Session> {
  const caller = await authenticator.resolve();
  const cell = (found: Caller): Database => request.cell(found.cell);
  let refusal: AppError | undefined;
  let guardHeld = false;
  rateLimiter.enter(caller);

  const run: ToolContext['run'] = async (operation, input) => {
    try {
      const { output } = await execute(operation, {
        request,
        authenticator,
        rateLimiter,
        via: 'mcp',
        input: () => input,
        cell,
      });
      guardHeld = true;
      return output as never;
    } catch (error) {
      // For an internal failure the model reads only that one happened, which needs no valid credential.
      guardHeld = true;
      if (error instanceof AppError && answersByHttp.has(error.code)) refusal = error;
      throw error;
    }
  };

  return {
    request,
    caller,
    run,
    resolve: (references) =>
      resolveReferences(
        { userId: caller.userId, maySeeNames: caller.scopes.includes('projects:read'), run },
        references,
      ),
    async settle() {
      if (refusal) throw refusal;
      if (guardHeld) return;
      await rateLimiter.pass();
      await verify(authenticator, cell);
      guardHeld = true;
    },
  };
}

/** Asks the database whether the credential is valid: a request that ran no operation may rest on a stale cache. */
async function verify(authenticator: Authenticator, cell: (caller: Caller) => Database): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const caller = await authenticator.resolve();
    try {
      await new GuardedDatabase(cell(caller), authenticator.guard(caller)).batch([]);
      return;
    } catch (error) {
      if (!(error instanceof StaleCaller)) throw error;
      authenticator.forget();
    }
  }
  throw internalError();
}
