import type { Budget } from '../../kernel/sql/budget.ts';

export function countEnvCalls(env: Env, budget: Budget): Env {
  const counted = Object.entries(env).map(([name, binding]) => [
    name,
    countBindingCalls(name, binding, budget),
  ]);
  return Object.fromEntries(counted) as Env;
}

function countBindingCalls(name: string, binding: unknown, budget: Budget): unknown {
  if (name === 'DIRECTORY' || /^CELL_\d+$/.test(name)) return countStatements(binding as D1Database, budget);
  if (/^(FILES|EMAIL|TRANSACTIONAL_MAIL|NOTIFICATION_MAIL|PUSH_NOTIFICATIONS)$/.test(name)) {
    return binding && countCalls(binding as object, budget);
  }
  if (name === 'UPLOAD_SESSION' || name === 'RATE_WINDOW' || name === 'WORKSPACE_HUB') {
    return countObjectCalls(binding as Env['UPLOAD_SESSION'], budget);
  }
  return binding;
}

/** Counts only the statements in batches, because `Database` sends nothing else. A retried batch counts again. */
function countStatements(db: D1Database, budget: Budget): D1Database {
  return replaceMethods(db, {
    batch: (statements: D1PreparedStatement[]) => {
      budget.spend(statements.length);
      return db.batch(statements);
    },
  });
}

function countObjectCalls(namespace: Env['UPLOAD_SESSION'], budget: Budget): Env['UPLOAD_SESSION'] {
  return replaceMethods(namespace, {
    getByName: (name: string) => countCalls(namespace.getByName(name), budget),
    jurisdiction: (name: DurableObjectJurisdiction) => countObjectCalls(namespace.jurisdiction(name), budget),
  });
}

function countCalls<T extends object>(binding: T, budget: Budget): T {
  return new Proxy(binding, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        budget.spend(1);
        return Reflect.apply(value, target, args);
      };
    },
  });
}

function replaceMethods<T extends object>(binding: T, methods: Record<string, unknown>): T {
  return new Proxy(binding, {
    get(target, name) {
      if (typeof name === 'string' && name in methods) return methods[name];
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
