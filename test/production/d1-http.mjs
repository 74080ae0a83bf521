// The HTTP interface of D1 as Cloudflare documents it, over databases of this machine, with the limits of D1.
import { createServer } from 'node:http';

const PARAMS_MAX = 100;
const SQL_BYTES_MAX = 100_000;
const VALUE_BYTES_MAX = 2_000_000;
const TOKEN = 'token-of-the-test';

/** @param databases D1 bindings by id. `before` is called with every batch that is about to run. */
export async function serveD1(databases, { before = async () => undefined } = {}) {
  const refusals = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const send = (status, body) => response.writeHead(status).end(JSON.stringify(body));
      try {
        if (request.headers.authorization !== `Bearer ${TOKEN}`)
          return send(403, refusal('Authentication error'));
        const id = /^\/accounts\/account\/d1\/database\/([\w-]+)\/query$/.exec(request.url)?.[1];
        const { batch } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        for (const { sql, params } of batch) requireWithin(sql, params);
        await before(batch);
        const database = databases[id];
        const result = await database.batch(
          batch.map(({ sql, params }) => database.prepare(sql).bind(...params)),
        );
        return send(200, { success: true, errors: [], messages: [], result });
      } catch (error) {
        refusals.push(error.message);
        return send(400, refusal(error.message));
      }
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const account = { base: `http://127.0.0.1:${server.address().port}`, account: 'account', token: TOKEN };
  return { account, refusals, close: () => new Promise((done) => server.close(done)) };
}

const refusal = (message) => ({
  success: false,
  errors: [{ code: 7500, message }],
  messages: [],
  result: [],
});

function requireWithin(sql, params) {
  if (Buffer.byteLength(sql) > SQL_BYTES_MAX) throw new Error(`statement too long: ${sql.slice(0, 80)}`);
  if (params.length > PARAMS_MAX) throw new Error(`too many parameters: ${sql.slice(0, 80)}`);
  for (const param of params) {
    if (Buffer.byteLength(String(param)) > VALUE_BYTES_MAX) throw new Error('string or blob too big');
  }
}
