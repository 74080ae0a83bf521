import { Hono } from 'hono';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { readUnsubscribeToken, unsubscribe } from '../../../notifications/mail/preferences.ts';
import { ErrorPage } from '../../server/error-page.tsx';
import { Layout } from '../../server/layout.tsx';
import { sendPage } from '../../server/page-response.ts';

const FORM_BYTES_MAX = 16 * 1024;

/** What the link in a mail of notifications opens, and what a mail program posts to by itself (RFC 8058). */
export const unsubscribePages = new Hono<HttpEnv>();

unsubscribePages.get('/unsubscribe', (c) => {
  if (personOf(c) === null) return sendPage(c, <LinkNotValid />, 400);
  // Opening does nothing: programs that look through mail open every link.
  return sendPage(
    c,
    <Layout title="Unsubscribe" width="narrow">
      <h1>No more mail of notifications?</h1>
      <p>They stay in your inbox. There you choose again what comes by mail, too.</p>
      <form method="post" action={`/unsubscribe?token=${encodeURIComponent(c.req.query('token') ?? '')}`}>
        <button type="submit">Unsubscribe</button>
      </form>
    </Layout>,
  );
});

unsubscribePages.post('/unsubscribe', limitBody(FORM_BYTES_MAX, { what: 'form' }), async (c) => {
  const userId = personOf(c);
  if (userId === null) return sendPage(c, <LinkNotValid />, 400);
  await unsubscribe(c.get('scope'), userId);
  return sendPage(
    c,
    <Layout title="Unsubscribed" width="narrow">
      <h1>You get no more mail of notifications</h1>
      <p>They stay in your inbox. There you choose again what comes by mail, under Mail.</p>
    </Layout>,
  );
});

function personOf(c: HttpContext): string | null {
  return readUnsubscribeToken(c.get('scope'), c.req.query('token') ?? '');
}

function LinkNotValid() {
  return (
    <ErrorPage
      title="This link does not work"
      message="It may have been cut off. Open it from the mail once more, or choose in your inbox, under Mail, what comes."
    />
  );
}
