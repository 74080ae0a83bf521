/**
 * Receives webhooks: verifies them, processes each event once, and detects missing events.
 * `WEBHOOK_SECRET=whsec_… node webhook-receiver.mjs 8080`
 *
 * Keep `seen` (for 30 days) and `last` in your database, and write them in the same transaction as the event.
 *
 * @typedef {{ id: string, seq: number, type: string, previousSeq: number | null,
 *   changes: Record<string, { from: unknown, to: unknown } | null> }} SentEvent
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const TOLERANCE_SECONDS = 5 * 60;
/** A batch holds 100 events of at most 20 KB. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

export class WebhookReceiver {
  /** Ids of processed events. Message ids aren't enough, because a replay sends the same events in new messages. */
  seen = new Set();
  /** `seq` of the last event received. @type {number | null} */
  last = null;
  /** Gaps. To get the missing events, call `POST /v1/webhooks/{id}/replay` with the `after` of the gap. */
  gaps = /** @type {{ after: number, before: number }[]} */ ([]);

  /**
   * @param {readonly string[]} secrets every valid secret, such as the old and the new one during a rotation
   * @param {(event: SentEvent) => void} onEvent
   */
  constructor(secrets, onEvent) {
    this.secrets = secrets;
    this.onEvent = onEvent;
  }

  /**
   * Returns the status to respond with. Verifies the raw text, because parsing and serializing would change the body.
   * @param {Record<string, string | string[] | undefined>} headers @param {string} text
   */
  receive(headers, text) {
    const id = String(headers['webhook-id']);
    const timestamp = String(headers['webhook-timestamp']);
    if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return 400;
    if (!this.isSigned(`${id}.${timestamp}.${text}`, String(headers['webhook-signature']))) return 401;
    const body = JSON.parse(text);
    for (const event of body.events ?? [body]) this.processEvent(event);
    return 200;
  }

  /** @param {SentEvent} event */
  processEvent(event) {
    const { id, type, seq, previousSeq } = event;
    if (type === 'webhook.test') return;
    if (this.last !== null && previousSeq !== null && previousSeq > this.last) {
      this.gaps.push({ after: this.last, before: seq });
    }
    if (!this.seen.has(id)) this.onEvent(event);
    this.seen.add(id);
    this.last = seq;
  }

  /** @param {string} content @param {string} signatures */
  isSigned(content, signatures) {
    return this.secrets.some((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      const expected = createHmac('sha256', key).update(content).digest();
      return signatures.split(' ').some((signature) => {
        const [version, value = ''] = signature.split(',');
        const given = Buffer.from(value, 'base64');
        return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
      });
    });
  }

  /** @param {number} port */
  listen(port) {
    const server = createServer(async (request, response) => {
      // After a 5xx, the same message is sent again.
      let status = 500;
      try {
        const parts = [];
        let bytes = 0;
        for await (const part of request) {
          bytes += part.length;
          if (bytes <= BODY_BYTES_MAX) parts.push(part);
        }
        status =
          bytes > BODY_BYTES_MAX ? 413 : this.receive(request.headers, Buffer.concat(parts).toString());
      } catch (error) {
        console.error(error);
      }
      response.writeHead(status).end();
    });
    return server.listen(port, '127.0.0.1');
  }
}

const [, script = '', port = '8080'] = process.argv;
if (script.endsWith('webhook-receiver.mjs')) {
  const secrets = (process.env.WEBHOOK_SECRET ?? '').split(' ');
  const receiver = new WebhookReceiver(secrets, ({ seq, type, changes }) => {
    console.log(seq, type, JSON.stringify(changes));
  });
  receiver.listen(Number(port)).on('listening', () => console.log('listening'));
}
