import type * as z from 'zod';
import type { SignedInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import { getDateFormat } from '../../../kernel/dates/date-format.ts';
import { OWN_APPS_MAX, type ownAppsOutput } from '../../../oauth/own-apps/own-apps.schema.ts';
import { Alert, Field, TextArea } from '../../components/field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { RejectedForm } from '../../page-model/page.ts';
import { AccountLayout } from '../../server/account-layout.tsx';

type OwnApp = z.output<typeof ownAppsOutput>['apps'][number];

const UPDATE_APP_PATH = '/account/apps/update';
const DELETE_APP_PATH = '/account/apps/delete';

interface OwnAppsPageProps {
  browser: SignedInBrowser;
  apps: readonly OwnApp[];
  done: string | null;
  rejected: RejectedForm | null;
  origin: string;
}

export function OwnAppsPage(props: OwnAppsPageProps) {
  const { browser, apps, done, rejected } = props;
  // An app that was deleted in another tab is no longer listed, so its form can't display the error.
  const isGone = rejected?.values.has('id') && !apps.some(({ id }) => id === rejected.values.get('id'));
  return (
    <AccountLayout title="Your apps" browser={browser} here="/account/apps">
      <p class="hint">
        Register an app you're building, so people can let it act on their behalf. To get started, read{' '}
        <a href="/docs/build-an-app">Build an app</a>.
      </p>
      {done === null ? null : (
        <p class="note-box" role="status">
          {done}
        </p>
      )}
      <Alert message={isGone ? (rejected?.message ?? undefined) : undefined} />
      <section aria-labelledby="apps">
        <h2 id="apps">Registered apps</h2>
        {apps.length === 0 ? <p class="empty card">No apps yet.</p> : null}
        <ul class="apps">
          {apps.map((app) => (
            <li class="card app">
              <OwnAppItem {...props} app={app} />
            </li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="register">
        <h2 id="register">Register an app</h2>
        {apps.length < OWN_APPS_MAX ? (
          <SiteForm action="/account/apps" browser={browser} class="card" rejected={rejected}>
            <p>
              People who authorize the app see your email address,{' '}
              <strong class="wrap-anywhere">{browser.person.email}</strong>.
            </p>
            <Field name="name" label="Name" autocomplete="off" maxlength={100} />
            <RedirectUrisField id="redirectUris" />
            <button type="submit">Register app</button>
          </SiteForm>
        ) : (
          <p class="empty card">
            You can register up to {OWN_APPS_MAX} apps. To register another, delete one first.
          </p>
        )}
      </section>
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">Endpoints</h2>
        <OAuthEndpoints {...props} />
      </section>
    </AccountLayout>
  );
}

function OwnAppItem({ app, browser, rejected }: OwnAppsPageProps & { app: OwnApp }) {
  const { id, name, redirectUris, people } = app;
  const isRejected = (action: string) => rejected?.action === action && rejected.values.get('id') === id;
  return (
    <>
      <div class="title">
        <h3>
          <bdi>{name}</bdi>
        </h3>
      </div>
      <p class="meta">
        Registered <RegistrationDate at={app.createdAt} /> · {describeAuthorizations(people)}
      </p>
      <dl class="detail-list">
        <div>
          <dt>Client ID</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
        <div>
          <dt>Redirect URIs</dt>
          {redirectUris.split('\n').map((uri) => (
            <dd>
              <code>{uri}</code>
            </dd>
          ))}
        </div>
      </dl>
      <details class="confirmation harmless" open={isRejected(UPDATE_APP_PATH)}>
        <summary aria-label={`Edit ${name}`}>Edit…</summary>
        <SiteForm
          action={UPDATE_APP_PATH}
          browser={browser}
          rejected={rejected}
          of={{ id }}
          snapshot={{ name, redirectUris }}
        >
          <Field id={`name-${id}`} name="name" label="Name" value={name} autocomplete="off" maxlength={100} />
          <RedirectUrisField id={`redirects-${id}`} value={redirectUris} />
          <button type="submit">Save</button>
        </SiteForm>
      </details>
      <details class="confirmation" open={isRejected(DELETE_APP_PATH)}>
        <summary aria-label={`Delete ${name}`}>Delete app…</summary>
        <SiteForm action={DELETE_APP_PATH} browser={browser} rejected={rejected} of={{ id }}>
          <p>
            No one will be able to authorize the app, and its access will be revoked for everyone.{' '}
            <strong>This can't be undone.</strong>
          </p>
          <button type="submit" class="danger">
            Delete {name}
          </button>
        </SiteForm>
      </details>
    </>
  );
}

function RedirectUrisField({ id, value }: { id: string; value?: string }) {
  return (
    <TextArea
      id={id}
      name="redirectUris"
      label="Redirect URIs"
      value={value}
      rows={3}
      maxlength={8000}
      placeholder="https://app.example/callback"
      hint="One per line, such as https://app.example/callback, http://localhost/callback or com.example.app:/callback"
    />
  );
}

function OAuthEndpoints({ origin }: { origin: string }) {
  return (
    <div class="card">
      <p>Apps use the authorization code flow with PKCE (S256). They have no client secret.</p>
      <dl class="detail-list">
        <div>
          <dt>Authorization</dt>
          <dd>
            <code>{origin}/api/oauth/authorize</code>
          </dd>
        </div>
        <div>
          <dt>Token</dt>
          <dd>
            <code>{origin}/api/oauth/token</code>
          </dd>
        </div>
      </dl>
    </div>
  );
}

function describeAuthorizations(people: number): string {
  if (people === 0) return 'no one has authorized it yet';
  return people === 1 ? '1 person has authorized it' : `${people} people have authorized it`;
}

function RegistrationDate({ at }: { at: string }) {
  const day = getDateFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(at));
  return <time datetime={at}>{day}</time>;
}
