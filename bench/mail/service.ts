// A mail service that runs outside the Worker's process, so that it still knows what it accepted after the Worker is
// killed.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { getPort } from '../../scripts/local.ts';

/** Shares of the calls, from 0 to 1. */
export interface MailFaults {
  /** The service is busy, and doesn't accept the email. */
  readonly rejected: number;
  /** The service accepts the email, but its response is an error. */
  readonly unknown: number;
}

export interface MailService {
  /** A Worker that is bound as `EMAIL`. */
  readonly script: string;
  readonly rejected: number;
  /** How often each recipient's email was accepted. */
  readonly accepted: ReadonlyMap<string, number>;
  /** How often the Worker couldn't know that an email was accepted. Each time, it has to send the email again. */
  readonly unknown: Map<string, number>;
  close(): void;
}

/** @param safe the recipient whose emails never fail, because a retry would take a minute */
export async function startMailService(faults: MailFaults, safe: string): Promise<MailService> {
  const accepted = new Map<string, number>();
  const unknown = new Map<string, number>();
  let rejected = 0;
  const server = createServer(async (request, response) => {
    const recipient = await text(request);
    const dice = recipient === safe ? 1 : Math.random();
    const isRejected = dice < faults.rejected;
    const isUnknown = !isRejected && dice < faults.rejected + faults.unknown;
    if (isRejected) rejected += 1;
    else countOne(accepted, recipient);
    if (isUnknown) countOne(unknown, recipient);
    response.writeHead(isRejected || isUnknown ? 503 : 200).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    script: `
      import { WorkerEntrypoint } from 'cloudflare:workers';
      export default class extends WorkerEntrypoint {
        async send({ to }) {
          const response = await fetch('http://127.0.0.1:${getPort(server)}', { method: 'POST', body: to });
          await response.text();
          if (!response.ok) throw new Error('The mail service is busy');
          return { messageId: to };
        }
      }`,
    get rejected() {
      return rejected;
    },
    accepted,
    unknown,
    close: () => server.close(),
  };
}

export function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
