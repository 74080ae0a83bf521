// Serves local databases over the query endpoint of D1's HTTP API, with D1's limits for statements and parameters.
import { createServer } from 'node:http';
import { getPort } from '../../scripts/local.ts';
import type { RemoteAccount } from '../../scripts/operate/remote.ts';
import type { toBinding } from './databases.ts';

const PARAMS_MAX = 100;
const SQL_BYTES_MAX = 100_000;
const VALUE_BYTES_MAX = 2_000_000;
const TOKEN = 'token-of-the-test';

interface SentStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

interface ServedD1 {
  readonly account: RemoteAccount;
  readonly rejections: readonly string[];
  close(): Promise<void>;
}

/** @param databases D1 bindings by id. `before` is called with every batch before it runs. */
export async function serveD1(
  databases: Readonly<Record<string, ReturnType<typeof toBinding>>>,
  { before }: { before?: (batch: readonly SentStatement[]) => Promise<void> } = {},
): Promise<ServedD1> {
  const rejections: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const sendResponse = (status: number, body: object) =>
        response.writeHead(status).end(JSON.stringify(body));
      try {
        if (request.headers.authorization !== `Bearer ${TOKEN}`)
          return sendResponse(403, buildRejection('Authentication error'));
        const id = /^\/accounts\/account\/d1\/database\/([\w-]+)\/query$/.exec(request.url ?? '')?.[1] ?? '';
        const { batch }: { batch: SentStatement[] } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        for (const { sql, params } of batch) assertWithinLimits(sql, params);
        await before?.(batch);
        const database = databases[id];
        if (!database) return sendResponse(404, buildRejection(`There is no database ${id}`));
        const result = await database.batch(
          batch.map(({ sql, params }) => database.prepare(sql).bind(...params)),
        );
        return sendResponse(200, { success: true, errors: [], messages: [], result });
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        rejections.push(message);
        return sendResponse(400, buildRejection(message));
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const account = { base: `http://127.0.0.1:${getPort(server)}`, account: 'account', token: TOKEN };
  return { account, rejections, close: () => new Promise((done) => server.close(() => done())) };
}

const buildRejection = (message: string) => ({
  success: false,
  errors: [{ code: 7500, message }],
  messages: [],
  result: [],
});

function assertWithinLimits(sql: string, params: readonly unknown[]): void {
  if (Buffer.byteLength(sql) > SQL_BYTES_MAX) throw new Error(`statement too long: ${sql.slice(0, 80)}`);
  if (params.length > PARAMS_MAX) throw new Error(`too many parameters: ${sql.slice(0, 80)}`);
  for (const param of params) {
    if (Buffer.byteLength(String(param)) > VALUE_BYTES_MAX) throw new Error('string or blob too big');
  }
}
