import { continueExports } from '../../src/exports/run/run-exports.ts';
import type { RequestScope } from '../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { openScope } from '../support/scope.ts';

/** Counts the calls to the database and to R2, and calls `onCall` before each. */
export function watchCalls(scope: RequestScope, onCall: () => Promise<void> | undefined): RequestScope {
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (found, name) => {
        const value = Reflect.get(found, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (name === 'resumeMultipartUpload') return watch(value.apply(found, args));
          const wait = onCall();
          return wait ? wait.then(() => value.apply(found, args)) : value.apply(found, args);
        };
      },
    });
  return {
    ...scope,
    env: { ...scope.env, FILES: watch(scope.env.FILES) },
    cell: (no: number) => {
      const cell = scope.cell(no);
      const watched = {
        batch: (statements: never) => onCall()?.then(() => cell.batch(statements)) ?? cell.batch(statements),
      };
      return watched as unknown as typeof cell;
    },
  } as RequestScope;
}

/** Runs the job until its call number `call`, which never returns. Resolves when the run has died or has ended. */
export async function runAndDie(cell: number, now: number, call: number): Promise<'died' | 'ended'> {
  let calls = 0;
  let die = () => {};
  const died = new Promise<'died'>((resolve) => {
    die = () => resolve('died');
  });
  const scope = watchCalls(openScope(now), () => {
    calls += 1;
    if (calls < call) return undefined;
    die();
    return new Promise(() => undefined);
  });
  return Promise.race([
    continueExports.run(scope, cell, unlimitedAllowance).then(() => 'ended' as const),
    died,
  ]);
}
