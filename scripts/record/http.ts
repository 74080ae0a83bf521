// Plain HTTP requests: any header may be sent, no redirect is followed, and nothing is added to what the server says.
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';

const ANSWER_MS_MAX = 60_000;
const agent = new Agent({ keepAlive: true });

export interface Wanted {
  readonly method: string;
  readonly url: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | Uint8Array | null;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export function send({ method, url, headers, body }: Wanted): Promise<Answer> {
  return new Promise((done, fail) => {
    const length = body === null ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const sent = request(
      url,
      { method, agent, headers: { ...length, ...headers }, timeout: ANSWER_MS_MAX },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', fail);
        incoming.once('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          done({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
        });
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${url} was not answered in time`)));
    sent.once('error', fail);
    sent.end(body ?? undefined);
  });
}
