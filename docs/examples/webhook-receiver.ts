/**
 * Receives webhooks: verifies them, takes each once, and sees a hole by itself.
 * `WEBHOOK_SECRET=whsec_… node webhook-receiver.ts 8080`
 *
 * Keep `seen` and `last` in your database, and write them in the transaction in which you store what you made of an event.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';

export interface SentEvent {
  id: string;
  seq: number;
  type: string;
  previousSeq: number | null;
  changes: Record<string, { from: unknown; to: unknown } | null>;
}

const TOLERANCE_SECONDS = 5 * 60;
const BODY_BYTES_MAX = 1024 * 1024;

export class WebhookReceiver {
  readonly #secrets: readonly string[];
  readonly #take: (event: SentEvent) => void;
  readonly #seen = new Set<string>();
  /** `seq` of the last event that was taken. */
  last: number | null = null;
  /** Where events are missing: ask `POST /v1/webhooks/{id}/replay` for what came after `after`. */
  readonly holes: { after: number; before: number }[] = [];

  /** @param secrets all that may sign: for a day after a rotation there are two. */
  constructor(secrets: readonly string[], take: (event: SentEvent) => void) {
    this.#secrets = secrets;
    this.#take = take;
  }

  /** Answers the status to reply with. @param text the body as it came: parsing and writing it again changes it. */
  receive(headers: Record<string, string | undefined>, text: string): number {
    const {
      'webhook-id': id = '',
      'webhook-timestamp': timestamp = '',
      'webhook-signature': signatures = '',
    } = headers;
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return 400;
    if (!this.#isSigned(`${id}.${timestamp}.${text}`, signatures)) return 401;
    // Sent before, and the answer got lost.
    if (this.#seen.has(id)) return 200;
    const body = JSON.parse(text) as SentEvent | { events: SentEvent[] };
    for (const event of 'events' in body ? body.events : [body]) this.#follow(event);
    this.#seen.add(id);
    return 200;
  }

  #follow(event: SentEvent) {
    if (event.type === 'webhook.test') return;
    const { previousSeq, seq } = event;
    if (this.last !== null && previousSeq !== null && previousSeq > this.last) {
      this.holes.push({ after: this.last, before: seq });
    }
    this.last = seq;
    this.#take(event);
  }

  #isSigned(content: string, signatures: string): boolean {
    return this.#secrets.some((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const expected = createHmac('sha256', key).update(content).digest();
      return signatures.split(' ').some((signature) => {
        const [version, value = ''] = signature.split(',');
        const given = Buffer.from(value, 'base64');
        return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
      });
    });
  }

  listen(port: number): Server {
    const server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) {
        parts.push(part as Buffer);
        if (parts.reduce((sum, each) => sum + each.length, 0) > BODY_BYTES_MAX)
          return void response.writeHead(413).end();
      }
      response.writeHead(this.#answer(request.headers, Buffer.concat(parts).toString())).end();
    });
    return server.listen(port, '127.0.0.1');
  }

  /** Whatever goes wrong here is answered with 500, so that the same message comes again. */
  #answer(headers: IncomingHttpHeaders, text: string): number {
    try {
      return this.receive(headers as Record<string, string | undefined>, text);
    } catch (error) {
      console.error(error);
      return 500;
    }
  }
}

const [, script = '', port = '8080'] = process.argv;
if (script.endsWith('webhook-receiver.ts')) {
  const secrets = (process.env.WEBHOOK_SECRET ?? '').split(' ');
  new WebhookReceiver(secrets, ({ seq, type, changes }) => console.log(seq, type, changes)).listen(
    Number(port),
  );
}
