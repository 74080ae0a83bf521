import { listNewestMails } from '../../email/outbox.queries.ts';
import type { HttpContext } from '../../kernel/http.ts';
import { toTimestamp } from '../../kernel/schema.ts';

const MAILS_SHOWN_MAX = 50;
const ownMachine = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The mails of a developer's machine, newest first. In production this path does not exist. */
export async function devOutbox(c: HttpContext): Promise<Response> {
  const { config, directory } = c.get('scope');
  if (!config.isLocal || !ownMachine.has(new URL(c.req.url).hostname)) return c.notFound();
  const [mails] = await directory.batch([listNewestMails(MAILS_SHOWN_MAX)]);
  return c.json(mails.map((mail) => ({ ...mail, createdAt: toTimestamp(mail.createdAt) })));
}
