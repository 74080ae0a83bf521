import { getDateFormat } from '../../../kernel/dates/date-format.ts';
import { describeBrowser } from '../../../kernel/net/describe-user-agent.ts';
import { Alert } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { AccountPageProps } from './own-account.view.tsx';

export function SignedInBrowsersSection({ browser, browsers, rejected }: AccountPageProps) {
  // A signed-out browser is no longer listed, so its row can't display the error.
  const isGone = (id: string | null) => !browsers.some((each) => each.id === id);
  const goneMessage =
    rejected?.values.has('id') && isGone(rejected.values.get('id')) ? rejected.message : null;
  return (
    <>
      <h2>Signed-in browsers</h2>
      <Alert message={goneMessage ?? undefined} />
      <ul class="apps">
        {browsers.map(({ id, userAgent, signedInAt, isThisOne }) => (
          <li class="card app">
            <div class="title">
              <h3>{describeBrowser(userAgent)}</h3>
              {isThisOne ? <span class="badge">This browser</span> : null}
            </div>
            <p class="meta">
              Signed in <time datetime={signedInAt}>{formatUtcTime(signedInAt)}</time>
            </p>
            {isThisOne ? null : (
              <details class="confirmation">
                <summary aria-label={`Sign out ${describeBrowser(userAgent)}`}>Sign out…</summary>
                <SiteForm
                  action="/account/browsers/sign-out"
                  browser={browser}
                  rejected={rejected}
                  of={{ id }}
                >
                  <p>You'll need to sign in there again.</p>
                  <button type="submit" class="danger">
                    Sign out
                  </button>
                </SiteForm>
              </details>
            )}
          </li>
        ))}
      </ul>
      {browsers.length > 1 ? (
        <details class="confirmation">
          <summary>Sign out all other browsers…</summary>
          <SiteForm action="/account/browsers/sign-out-others" browser={browser} rejected={rejected}>
            <p>You'll stay signed in here.</p>
            <button type="submit" class="danger">
              Sign out all other browsers
            </button>
          </SiteForm>
        </details>
      ) : null}
    </>
  );
}

function formatUtcTime(timestamp: string): string {
  const format = getDateFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(new Date(timestamp))} UTC`;
}
