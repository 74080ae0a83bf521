import { Hono } from 'hono';
import { limitBody } from '../../../kernel/http/bounded-body.ts';
import type { HttpContext, HttpEnv } from '../../../kernel/http/http.ts';
import { openUnsubscribeToken, unsubscribe } from '../../../notifications/mail/preferences.ts';
import { ErrorPage } from '../../server/error-page.tsx';
import { SiteLayout } from '../../server/layout.tsx';
import { sendPage } from '../../server/page-response.ts';

const FORM_BYTES_MAX = 16 * 1024;

/** Notification emails link to this page, and mail clients post to it (RFC 8058). */
export const unsubscribePages = new Hono<HttpEnv>();

unsubscribePages.get('/unsubscribe', (c) => {
  if (readUserIdFromToken(c) === null) return sendPage(c, <InvalidUnsubscribeLinkPage />, 400);
  // Mail scanners open links, so people are unsubscribed only after they press the button.
  return sendPage(
    c,
    <SiteLayout title="Unsubscribe" width="narrow">
      <h1>Unsubscribe from notification emails?</h1>
      <p>You'll still see notifications in your inbox, where you can turn emails back on at any time.</p>
      <form method="post" action={`/unsubscribe?token=${encodeURIComponent(c.req.query('token') ?? '')}`}>
        <button type="submit">Unsubscribe</button>
      </form>
    </SiteLayout>,
  );
});

unsubscribePages.post('/unsubscribe', limitBody(FORM_BYTES_MAX, { what: 'form' }), async (c) => {
  const userId = readUserIdFromToken(c);
  if (userId === null) return sendPage(c, <InvalidUnsubscribeLinkPage />, 400);
  await unsubscribe(c.get('scope'), userId);
  return sendPage(
    c,
    <SiteLayout title="Unsubscribed" width="narrow">
      <h1>You're unsubscribed</h1>
      <p>
        You won't get any more notification emails. You'll still see notifications in your inbox, where you
        can turn emails back on under Email.
      </p>
    </SiteLayout>,
  );
});

function readUserIdFromToken(c: HttpContext): string | null {
  return openUnsubscribeToken(c.get('scope'), c.req.query('token') ?? '');
}

function InvalidUnsubscribeLinkPage() {
  return (
    <ErrorPage
      title="This link doesn't work"
      message="The link may be incomplete. Open it from the email again, or go to your inbox and change your preferences under Email."
    />
  );
}
