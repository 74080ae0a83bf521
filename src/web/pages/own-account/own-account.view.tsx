import type * as z from 'zod';
import type { SignedInBrowser } from '../../../accounts/browser-sessions/browser-session.ts';
import type { browserListOutput, profileOutput } from '../../../accounts/own/own-account.schema.ts';
import type { OwnWorkspace } from '../../../workspaces/directory/own-workspaces.ts';
import { Field } from '../../components/field.tsx';
import { LetterTile } from '../../components/letter-tile.tsx';
import { NewPasswordField } from '../../components/new-password-field.tsx';
import { RevokeAccessField } from '../../components/revoke-access-field.tsx';
import { SiteForm } from '../../components/site-form.tsx';
import type { RejectedForm } from '../../page-model/page.ts';
import { AccountLayout } from '../../server/account-layout.tsx';
import { ACCOUNT_DATA_PATH } from './account-forms.ts';
import { SignedInBrowsersSection } from './browsers.view.tsx';
import { NewWorkspaceForm } from './new-workspace.view.tsx';

export interface AccountPageProps {
  browser: SignedInBrowser;
  profile: z.output<typeof profileOutput>;
  browsers: z.output<typeof browserListOutput>['browsers'];
  workspaces: readonly OwnWorkspace[];
  done: string | null;
  rejected: RejectedForm | null;
}

export function AccountPage(props: AccountPageProps) {
  const { browser, profile, workspaces, done, rejected } = props;
  return (
    <AccountLayout title="Your account" browser={browser} here="/account">
      {done === null ? null : (
        <p class="note-box" role="status">
          {done}
        </p>
      )}
      <h2>Name and picture</h2>
      <SiteForm
        action="/account/name"
        browser={browser}
        class="card row"
        rejected={rejected}
        snapshot={{ name: profile.name }}
      >
        <Field name="name" label="Name" value={profile.name} autocomplete="name" maxlength={100} />
        <button type="submit">Save</button>
      </SiteForm>
      <ProfilePictureForms {...props} />
      <h2>Email address</h2>
      <SiteForm action="/account/email" browser={browser} class="card" rejected={rejected}>
        <p>
          You sign in with <strong class="wrap-anywhere">{profile.email}</strong>.
        </p>
        <Field
          name="email"
          label="New email address"
          type="email"
          autocomplete="email"
          maxlength={254}
          hint="We'll send a link to this address. Your current address stays in use until you confirm the new one."
        />
        {profile.hasPassword ? <CurrentPasswordField id="email-password" /> : null}
        <button type="submit">Send link</button>
      </SiteForm>
      <h2>Password</h2>
      <SiteForm action="/account/password" browser={browser} class="card" rejected={rejected}>
        {profile.hasPassword ? <CurrentPasswordField id="current-password" /> : null}
        <NewPasswordField
          name="newPassword"
          label="New password"
          then="All other browsers will be signed out."
        />
        <RevokeAccessField />
        <button type="submit">{profile.hasPassword ? 'Change password' : 'Set password'}</button>
      </SiteForm>
      <SignedInBrowsersSection {...props} />
      <h2 id="workspaces">Workspaces</h2>
      <ul class="plain-list card">
        {workspaces.map(({ id, name }) => (
          <li>
            <a href={`/app/${id}`}>
              <LetterTile name={name} of={id} />
              <bdi>{name}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <NewWorkspaceForm browser={browser} rejected={rejected} />
      <h2 id="data">Your data</h2>
      <div class="card">
        <p>
          Download your account's data: your name, email address, signed-in browsers, workspaces and apps. To
          download what you have created in a workspace, open <strong>Export</strong> in its settings.
        </p>
        <a class="button plain" href={ACCOUNT_DATA_PATH} download data-no-prefetch>
          Download account data
        </a>
      </div>
      <DeleteAccountSection {...props} />
    </AccountLayout>
  );
}

function CurrentPasswordField({ id }: { id: string }) {
  return (
    <Field
      id={id}
      name="password"
      label="Current password"
      type="password"
      autocomplete="current-password"
      maxlength={1024}
    />
  );
}

function ProfilePictureForms({ browser, profile: { image, name }, rejected }: AccountPageProps) {
  const problem = rejected?.action === '/account/picture' ? rejected : null;
  const message = problem && (problem.message ?? Object.values(problem.fields)[0]);
  return (
    <div class="card">
      {image === null ? null : <img class="portrait" src={image} alt={name} width="64" height="64" />}
      <SiteForm action="/account/picture" browser={browser} enctype="multipart/form-data" class="row">
        <div class="field">
          <label for="bytes">Picture</label>
          <input
            id="bytes"
            name="bytes"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            required
            autofocus={message !== null}
            aria-describedby={message === null ? 'bytes-hint' : 'bytes-problem bytes-hint'}
            aria-invalid={message === null ? undefined : 'true'}
          />
          {message === null ? null : (
            <p class="problem" id="bytes-problem">
              {message}
            </p>
          )}
        </div>
        <button type="submit" class="plain">
          Upload
        </button>
      </SiteForm>
      <p class="hint" id="bytes-hint">
        PNG, JPEG or WebP, up to 2 MB.
      </p>
      {image === null ? null : (
        <details class="confirmation">
          <summary>Remove picture…</summary>
          <SiteForm action="/account/picture/remove" browser={browser} rejected={rejected}>
            <p>Your initials will be shown instead.</p>
            <button type="submit" class="danger">
              Remove picture
            </button>
          </SiteForm>
        </details>
      )}
    </div>
  );
}

function DeleteAccountSection({ browser, profile, rejected }: AccountPageProps) {
  return (
    <section class="danger-zone" aria-labelledby="danger-zone">
      <h2 id="danger-zone">Danger zone</h2>
      <details class="confirmation" open={rejected?.action === '/account/remove'}>
        <summary>Delete account…</summary>
        <SiteForm action="/account/remove" browser={browser} rejected={rejected}>
          <p>
            Your name and email address will be removed everywhere. Your past work will be shown as the work
            of a former member. Your API keys, apps and webhooks will stop working.{' '}
            <strong>This can't be undone.</strong> If you are the only owner of a workspace, transfer or
            delete it first.
          </p>
          <Field
            id="typed-email"
            name="email"
            label="Type your email address to confirm"
            type="email"
            autocomplete="off"
            maxlength={320}
          />
          {profile.hasPassword ? <CurrentPasswordField id="remove-password" /> : null}
          <button type="submit" class="danger">
            Delete account
          </button>
        </SiteForm>
      </details>
    </section>
  );
}
