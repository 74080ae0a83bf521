// Enforces D1's limits for statements and parameters, and rejects transactions, because the local emulation doesn't.
const PARAMS_MAX = 100;
const SQL_BYTES_MAX = 100_000;
const PARAM_BYTES_MAX = 2_000_000;

const violations: string[] = [];

/** Returns the violations since the last call, including those whose exception was caught. */
export function takeViolations(): string[] {
  return violations.splice(0);
}

let rejectedBatches = 0;

/**
 * Counts the rejected batches of all requests. A batch is rejected, for example, if someone else's change came first.
 */
export function countRejectedBatches(): number {
  return rejectedBatches;
}

function throwViolation(reason: string, sql: string): never {
  const message = `${reason} in: ${sql.slice(0, 300)}`;
  violations.push(message);
  throw new Error(`D1 limit: ${message}`);
}

function checkSql(sql: string) {
  if (new TextEncoder().encode(sql).length > SQL_BYTES_MAX)
    throwViolation(`more than ${SQL_BYTES_MAX} bytes`, sql);
  if (/^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/i.test(sql)) throwViolation('a transaction of its own', sql);
}

function checkParams(sql: string, params: readonly unknown[]) {
  if (params.length > PARAMS_MAX)
    throwViolation(`${params.length} bound parameters, ${PARAMS_MAX} are allowed`, sql);
  params.forEach((param, index) => {
    const isBindable =
      param === null ||
      ['string', 'number', 'boolean'].includes(typeof param) ||
      param instanceof ArrayBuffer ||
      ArrayBuffer.isView(param);
    if (!isBindable)
      throwViolation(`parameter ${index + 1} is ${describeValue(param)}, which cannot be bound`, sql);
    if (typeof param === 'string' && new TextEncoder().encode(param).length > PARAM_BYTES_MAX)
      throwViolation(`parameter ${index + 1} has more than ${PARAM_BYTES_MAX} bytes`, sql);
    if (typeof param === 'number' && !Number.isFinite(param))
      throwViolation(`parameter ${index + 1} is ${param}`, sql);
  });
}

function describeValue(value: unknown): string {
  return value instanceof Date ? 'a Date' : Array.isArray(value) ? 'an array' : `of type ${typeof value}`;
}

const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();

function meterStatement(statement: D1PreparedStatement, sql: string): D1PreparedStatement {
  const metered = new Proxy(statement, {
    get(target, name) {
      if (name === 'bind') {
        return (...params: unknown[]) => {
          checkParams(sql, params);
          return meterStatement(target.bind(...params), sql);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  originals.set(metered, statement);
  return metered;
}

/** Wraps a database so that it enforces these limits. */
export function meterDatabase(database: D1Database): D1Database {
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') {
        return (sql: string) => {
          checkSql(sql);
          return meterStatement(target.prepare(sql), sql);
        };
      }
      if (name === 'batch') {
        return async (statements: D1PreparedStatement[]) => {
          try {
            return await target.batch(statements.map((each) => originals.get(each) ?? each));
          } catch (error) {
            rejectedBatches += 1;
            throw error;
          }
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
