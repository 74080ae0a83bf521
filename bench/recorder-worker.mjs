// The real worker, on a database binding that remembers what it was asked: so the bare worker gets the very statements.
import worker from '../src/index.ts';

export * from '../src/index.ts';

/** Of the request under way. */
let batches = [];
const spoken = new WeakMap();
let watchedEnv;

function watchStatement(statement, sql, params = []) {
  const watched = new Proxy(statement, {
    get(target, name) {
      if (name === 'bind') return (...bound) => watchStatement(target.bind(...bound), sql, bound);
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args) => {
        batches.push([{ sql, params }]);
        return value.apply(target, args);
      };
    },
  });
  spoken.set(watched, { statement, sql, params });
  return watched;
}

function watchDatabase(database) {
  return new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') return (sql) => watchStatement(target.prepare(sql), sql);
      if (name === 'withSession') return (...args) => watchDatabase(target.withSession(...args));
      if (name === 'batch') {
        return (statements) => {
          const asked = statements.map((each) => spoken.get(each));
          batches.push(asked.map(({ sql, params }) => ({ sql, params })));
          return target.batch(asked.map(({ statement }) => statement));
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

export default {
  async fetch(request, env, context) {
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
