import { Alert, Field } from '../../components/field.tsx';
import { Layout } from '../../server/layout.tsx';

/** The page has a button because mail scanners open links, and opening one must not verify an address. */
export function ConfirmVerification({ token }: { token: string }) {
  return (
    <Layout title="Verify your email address" width="narrow">
      <h1>Verify your email address</h1>
      <p>One press and your account is ready.</p>
      <form method="post" action="/verify-email">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Verify my address</button>
      </form>
      <p class="note">
        Was it not you who created this account? Then do not press: whoever did knows its password.{' '}
        <a href="/forgot-password">Choose one of your own</a> instead; that verifies the address, too.
      </p>
    </Layout>
  );
}

export function Verified() {
  return (
    <Layout title="Your address is verified" width="narrow">
      <h1>Your address is verified</h1>
      <p>Your account and its first workspace are ready.</p>
      <div class="actions">
        <a class="button" href="/sign-in">
          Sign in
        </a>
        <a class="button plain" href="/docs">
          Read the reference
        </a>
      </div>
    </Layout>
  );
}

export function LinkNotValid() {
  return (
    <Layout title="This link no longer works" width="narrow">
      <h1>This link no longer works</h1>
      <p>Verification links hold for 48 hours. Ask for a new one:</p>
      <ResendForm />
      <p class="note">
        If your address is verified already, simply <a href="/sign-in">sign in</a>.
      </p>
    </Layout>
  );
}

/** For whoever lost the mail and knows only the address of this page. */
export function AskForLink() {
  return (
    <Layout title="Get a new link" width="narrow">
      <h1>Get a new link</h1>
      <p>The link that verifies your address holds for 48 hours. A new one comes by mail:</p>
      <ResendForm />
    </Layout>
  );
}

export function ResendRefused({ message }: { message: string }) {
  return (
    <Layout title="No mail was sent" width="narrow">
      <h1>No mail was sent</h1>
      <Alert message={message} />
      <ResendForm />
    </Layout>
  );
}

export function Resent({ message, email }: { message: string; email?: string }) {
  return (
    <Layout title="Check your mail" width="narrow">
      <h1>Check your mail</h1>
      <p>{message}</p>
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
      <p class="note">No mail after a minute? Look into the spam folder, or let it be sent again:</p>
      <ResendForm email={email} />
    </Layout>
  );
}

export function ResendForm({ email }: { email?: string | undefined }) {
  return (
    <form method="post" action="/verify-email/resend" class="card">
      <Field
        name="email"
        label="Email address"
        type="email"
        value={email}
        autocomplete="email"
        maxlength={254}
      />
      <button type="submit">Send a new link</button>
    </form>
  );
}
