import type { HttpContext } from '../../../kernel/http/http.ts';
import { toTimestamp } from '../../../kernel/operation/schema.ts';
import { listNewestEmails, type OutboxMail } from '../../../mail/outbox.queries.ts';
import { formatDate } from '../../components/format-date.ts';
import { SiteLayout } from '../../server/layout.tsx';
import { isPageRequest } from '../../server/page-request.ts';
import { sendPage } from '../../server/page-response.ts';

const EMAILS_SHOWN_MAX = 50;
const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

export async function showDevOutbox(c: HttpContext): Promise<Response> {
  const { config, directory } = c.get('scope');
  if (!config.isLocal || !localHosts.has(new URL(c.req.url).hostname)) return c.notFound();
  const [found] = await directory.batch([listNewestEmails(EMAILS_SHOWN_MAX)]);
  const emails = found.map(toOutboxEmail);
  return isPageRequest(c) ? sendPage(c, <DevOutboxPage emails={emails} />) : c.json(emails);
}

function toOutboxEmail({ recipient, subject, text, html, created_at }: OutboxMail) {
  return { to: recipient, subject, text, html, createdAt: toTimestamp(created_at) };
}

interface OutboxEmail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly createdAt: string;
}

function DevOutboxPage({ emails }: { emails: readonly OutboxEmail[] }) {
  return (
    <SiteLayout title="Development outbox">
      <h1>Development outbox</h1>
      <p class="note">
        This machine doesn't send email. The newest {EMAILS_SHOWN_MAX} emails are shown here.
      </p>
      {emails.length === 0 ? <p class="empty card">No emails yet.</p> : null}
      {emails.map(({ to, subject, text, createdAt }) => (
        <article class="card">
          <h2 class="mail-subject">{subject}</h2>
          <p class="meta">
            To <bdi>{to}</bdi>, <time datetime={createdAt}>{formatSentTime(createdAt)}</time>
          </p>
          <pre class="mail">{linkUrls(text)}</pre>
        </article>
      ))}
    </SiteLayout>
  );
}

function formatSentTime(createdAt: string): string {
  return `${formatDate(createdAt.slice(0, 10), 'shortWithYear')}, ${createdAt.slice(11, 16)} UTC`;
}

function linkUrls(text: string) {
  return text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? <a href={part}>{part}</a> : part));
}
