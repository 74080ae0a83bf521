import { Alert, Field } from '../../components/field.tsx';
import { Layout } from '../../server/layout.tsx';

/** Mail scanners open links, so only the button verifies the address. */
export function ConfirmVerificationPage({ token }: { token: string }) {
  return (
    <Layout title="Verify your email address" width="narrow">
      <h1>Verify your email address</h1>
      <p>One click and your account is ready.</p>
      <form method="post" action="/verify-email">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Verify email address</button>
      </form>
      <p class="note">
        Didn't sign up? You can ignore this page. To take over the account,{' '}
        <a href="/forgot-password">choose a new password</a>.
      </p>
    </Layout>
  );
}

export function VerifiedPage() {
  return (
    <Layout title="Email address verified" width="narrow">
      <h1>Email address verified</h1>
      <p>Your account and your first workspace are ready.</p>
      <div class="actions">
        <a class="button" href="/sign-in">
          Sign in
        </a>
        <a class="button plain" href="/docs">
          Read the docs
        </a>
      </div>
    </Layout>
  );
}

export function InvalidLinkPage() {
  return (
    <Layout title="This link no longer works" width="narrow">
      <h1>This link no longer works</h1>
      <p>Verification links expire after 48 hours. Request a new one:</p>
      <ResendForm />
      <p class="note">
        Already verified? <a href="/sign-in">Sign in</a>.
      </p>
    </Layout>
  );
}

export function RequestVerificationLinkPage() {
  return (
    <Layout title="Get a new link" width="narrow">
      <h1>Get a new link</h1>
      <p>Verification links expire after 48 hours. We'll send you a new one:</p>
      <ResendForm />
    </Layout>
  );
}

export function ResendFailedPage({ message }: { message: string }) {
  return (
    <Layout title="Email not sent" width="narrow">
      <h1>Email not sent</h1>
      <Alert message={message} />
      <ResendForm />
    </Layout>
  );
}

export function LinkResentPage({ message, email }: { message: string; email?: string }) {
  return (
    <Layout title="Check your email" width="narrow">
      <h1>Check your email</h1>
      <p>{message}</p>
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
      <p class="note">No email after a minute? Check your spam folder, or request a new link:</p>
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
      <button type="submit">Send new link</button>
    </form>
  );
}
