import { type Caller, requireAccess } from '../access/access.ts';
import { getReach } from '../access/capabilities.ts';
import { AppError, internalError } from '../errors/errors.ts';
import type { AnyOperation, Context } from '../operation/operation.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { type Database, StaleCallerError } from '../sql/database.ts';
import { defaultWords } from '../text/wording.ts';
import { BatchingDatabase } from './batching-database.ts';
import type { Authenticator } from './execute.ts';
import { parseInput, runOperation } from './run-operation.ts';

export interface BatchedRead {
  readonly operation: AnyOperation;
  readonly input: unknown;
}

export type ReadResult =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: AppError };

interface BatchedReadOptions {
  readonly request: RequestScope;
  readonly authenticator: Authenticator;
  readonly cell: (caller: Caller) => Database;
  readonly accepted?: (caller: Caller) => void;
}

const ATTEMPTS_MAX = 3;

/**
 * Runs reads in parallel and combines their database round trips. If one throws an `AppError`, the others still
 * succeed.
 */
export async function executeReads(
  buildReads: (caller: Caller) => readonly BatchedRead[],
  { request, authenticator, cell, accepted }: BatchedReadOptions,
): Promise<{ caller: Caller; results: ReadResult[] }> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const caller = await authenticator.resolve();
    accepted?.(caller);
    request.budget.enter(caller);
    const reads = buildReads(caller);
    const db = new BatchingDatabase(cell(caller), authenticator.guard(caller), reads.length);
    const context = {
      request,
      now: request.now,
      caller,
      via: caller.credential.kind,
      words: defaultWords,
      prefersMinimal: false,
      snapshot: {},
      incoming: null,
      db,
    };
    try {
      const results = await Promise.all(
        reads.map((read) => runRead(read, context).finally(() => db.removeReader())),
      );
      // If no read has sent a query, no batch has checked the cached caller yet.
      if (!db.hasRunBatch) await db.batch([]);
      return { caller, results };
    } catch (error) {
      if (!(error instanceof StaleCallerError)) throw error;
      authenticator.forget();
    }
  }
  throw internalError();
}

async function runRead(
  { operation, input }: BatchedRead,
  context: Omit<Context, 'reach' | 'recheck'>,
): Promise<ReadResult> {
  const { access, capability, effect } = operation;
  if (effect !== 'read' || capability === null) {
    throw new Error(`only reads that require a capability can run together; got ${operation.name}`);
  }
  try {
    requireAccess(access, context.caller);
    const reach = getReach(context.caller, capability);
    const ctx: Context = { ...context, reach, recheck: async () => undefined };
    const { output } = await runOperation(operation, ctx, parseInput(operation.input, input));
    return { ok: true, output };
  } catch (error) {
    if (error instanceof AppError) return { ok: false, error };
    throw error;
  }
}
