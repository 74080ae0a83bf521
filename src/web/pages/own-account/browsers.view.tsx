import { Alert } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { AccountProps } from './own-account.view.tsx';

/** Where the person is signed in, each with a way out. */
export function Browsers({ browser, browsers, refused }: AccountProps) {
  // Whoever was signed out elsewhere in between has no form left that could say so.
  const isGone = (id: string | null) => !browsers.some((each) => each.id === id);
  const gone = refused?.values.has('id') && isGone(refused.values.get('id')) ? refused.message : null;
  return (
    <>
      <h2>Signed-in browsers</h2>
      <Alert message={gone ?? undefined} />
      <ul class="apps">
        {browsers.map(({ id, userAgent, signedInAt, isThisOne }) => (
          <li class="card app">
            <div class="title">
              <h3>{nameOf(userAgent)}</h3>
              {isThisOne ? <span class="badge">this one</span> : null}
            </div>
            <p class="meta">
              signed in <time datetime={signedInAt}>{signedInAt.slice(0, 16).replace('T', ' ')} UTC</time>
            </p>
            {isThisOne ? null : (
              <details class="asks">
                <summary aria-label={`Sign out ${nameOf(userAgent)}`}>Sign out…</summary>
                <SiteForm action="/account/browsers/sign-out" browser={browser} refused={refused} of={{ id }}>
                  <p>Whoever uses it has to sign in again.</p>
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
        <details class="asks">
          <summary>Sign out all others…</summary>
          <SiteForm action="/account/browsers/sign-out-others" browser={browser} refused={refused}>
            <p>You stay signed in here, and have to sign in again everywhere else.</p>
            <button type="submit" class="danger">
              Sign out all others
            </button>
          </SiteForm>
        </details>
      ) : null}
    </>
  );
}

const products = [
  ['Firefox', /Firefox\//],
  ['Edge', /Edg\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const;
const systems = [
  ['Android', /Android/],
  ['iPhone or iPad', /iPhone|iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['Linux', /Linux/],
] as const;

/** "Firefox on Windows": what the browser called itself, as far as it is known. */
function nameOf(userAgent: string): string {
  const product = products.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'A browser';
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0];
  return system === undefined ? product : `${product} on ${system}`;
}
