import { adaptToChangeSet } from '../change-sets/staging/operations-in-set.ts';
import type { Caller } from '../kernel/access/access.ts';
import { type Capability, getReach, type Reach } from '../kernel/access/capabilities.ts';
import { AppError, internalError } from '../kernel/errors/errors.ts';
import { type Authenticator, execute, type RateLimiter } from '../kernel/execute/execute.ts';
import type { RequestServices } from '../kernel/http/http.ts';
import type { AnyOperation } from '../kernel/operation/operation.ts';
import type { RequestScope } from '../kernel/operation/request-scope.ts';
import { type Database, StaleCallerError } from '../kernel/sql/database.ts';
import { GuardedDatabase } from '../kernel/sql/guarded-database.ts';
import type { Vocabulary } from '../kernel/text/wording.ts';
import type { ToolContext } from '../kernel/tools/tool.ts';
import { resolveReferences } from './resolve-references.ts';

const ATTEMPTS_MAX = 3;

/** Errors for the HTTP client rather than the model: the token was revoked, or the rate limit was reached. */
const httpErrorCodes: ReadonlySet<string> = new Set(['unauthorized', 'rate_limited']);

export interface McpSession {
  readonly request: RequestScope;
  readonly caller: Caller;
  open(call: ToolCall): CallContext;
  /** Rethrows an operation's 401 or 429. If no operation ran, checks the caller in the database. */
  requireConfirmedCaller(): Promise<void>;
}

interface ToolCall {
  readonly text: string;
  readonly words: Vocabulary;
}

export interface CallContext extends ToolContext {
  /** The capabilities that the call used and that the caller's role limits, with the reach of the role. */
  readonly narrowed: ReadonlyMap<Capability, Reach>;
  /** Returns true if the call's last operation with an idempotency key returned its stored response. */
  readonly isReplayed: () => boolean;
  getChangeSet(): number | null;
}

interface SessionServices {
  readonly authenticator: Authenticator;
  readonly rateLimiter: RateLimiter;
  readonly createIdempotencyKey: RequestServices['createIdempotencyKey'];
}

export async function openMcpSession(request: RequestScope, services: SessionServices): Promise<McpSession> {
  const { authenticator, rateLimiter, createIdempotencyKey } = services;
  const caller = await authenticator.resolve();
  const cell = (found: Caller): Database => request.cell(found.cell);
  let httpError: AppError | undefined;
  let isCallerConfirmed = false;
  rateLimiter.enter(caller);
  request.budget.enter(caller);

  async function runOperation(
    operation: AnyOperation,
    input: unknown,
    { text, words }: ToolCall,
    key?: string,
  ) {
    try {
      const executed = await execute(adaptToChangeSet(operation), {
        request,
        authenticator,
        rateLimiter,
        via: 'mcp',
        words,
        input: () => input,
        cell,
        ...(key !== undefined && {
          idempotencyKey: (found) => createIdempotencyKey(request, found, key, `POST /mcp ${text}`),
        }),
      });
      isCallerConfirmed = true;
      return executed;
    } catch (error) {
      // An error needs no further check: errors for the caller are thrown only after the caller is confirmed, and
      // internal errors reveal nothing.
      isCallerConfirmed = true;
      if (error instanceof AppError && httpErrorCodes.has(error.code)) httpError = error;
      throw error;
    }
  }

  return {
    request,
    caller,
    open(call) {
      const narrowed = new Map<Capability, Reach>();
      let changeSet: number | null = null;
      const runOne = async (operation: AnyOperation, input: unknown, key?: string) => {
        const executed = await runOperation(operation, input, call, key);
        changeSet = executed.caller?.changeSet ?? null;
        return executed;
      };
      const recordLimitedReach = ({ capability }: AnyOperation) => {
        const reach = capability === null ? 'all' : getReach(caller, capability);
        if (capability !== null && reach !== 'all') narrowed.set(capability, reach);
      };
      let isReplayed = false;
      const run: ToolContext['run'] = async (operation, input, key) => {
        const executed = await runOne(operation, input, key);
        if (key !== undefined) isReplayed = executed.isReplayed;
        return executed.output as never;
      };
      return {
        caller,
        now: request.now,
        narrowed,
        isReplayed: () => isReplayed,
        getChangeSet: () => changeSet,
        run,
        runWithRoleNote(operation, input) {
          recordLimitedReach(operation);
          return run(operation, input);
        },
        async list(operation, input) {
          recordLimitedReach(operation);
          const { output, nextCursor } = await runOne(operation, input);
          return { ...(output as object), nextCursor } as never;
        },
        resolve: (references) =>
          resolveReferences(
            { userId: caller.userId, maySeeNames: caller.scopes.includes('projects:read'), run },
            references,
          ),
      };
    },
    async requireConfirmedCaller() {
      if (httpError) throw httpError;
      if (isCallerConfirmed) return;
      await rateLimiter.pass();
      await confirmCallerInDatabase(authenticator, cell);
      isCallerConfirmed = true;
    },
  };
}

/** Checks the database, because the caller may come from a stale cache if no operation ran. */
async function confirmCallerInDatabase(
  authenticator: Authenticator,
  cell: (caller: Caller) => Database,
): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const caller = await authenticator.resolve();
    try {
      await new GuardedDatabase(cell(caller), authenticator.guard(caller)).batch([]);
      return;
    } catch (error) {
      if (!(error instanceof StaleCallerError)) throw error;
      authenticator.forget();
    }
  }
  throw internalError();
}
