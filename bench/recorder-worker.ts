// Runs the real worker with a database binding that records its statements for the bare worker.
import worker from '../src/index.ts';

export * from '../src/index.ts';

interface RecordedStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

let batches: RecordedStatement[][] = [];
const watchedStatements = new WeakMap<
  D1PreparedStatement,
  RecordedStatement & { statement: D1PreparedStatement }
>();
let watchedEnv: Env | undefined;

function watchStatement(
  statement: D1PreparedStatement,
  sql: string,
  params: readonly unknown[] = [],
): D1PreparedStatement {
  const watched = new Proxy(statement, {
    get(target, name) {
      if (name === 'bind') return (...bound: unknown[]) => watchStatement(target.bind(...bound), sql, bound);
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        batches.push([{ sql, params }]);
        return value.apply(target, args);
      };
    },
  });
  watchedStatements.set(watched, { statement, sql, params });
  return watched;
}

function watchDatabase<T extends D1Database | D1DatabaseSession>(database: T): T {
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (sql: string) => watchStatement(target.prepare(sql), sql);
      if (name === 'withSession' && 'withSession' in target) {
        return (...args: Parameters<D1Database['withSession']>) => watchDatabase(target.withSession(...args));
      }
      if (name === 'batch') {
        return (statements: readonly D1PreparedStatement[]) => {
          const batched = statements.map((each) => {
            const known = watchedStatements.get(each);
            if (!known) throw new Error('A batch contains a statement that this database did not prepare');
            return known;
          });
          batches.push(batched.map(({ sql, params }) => ({ sql, params })));
          return target.batch(batched.map(({ statement }) => statement));
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext) {
    watchedEnv ??= { ...env, CELL_0: watchDatabase(env.CELL_0) };
    batches = [];
    const answer = await worker.fetch(request, watchedEnv, context);
    const text = await answer.text();
    return Response.json({
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: JSON.parse(text),
      batches,
    });
  },
};
