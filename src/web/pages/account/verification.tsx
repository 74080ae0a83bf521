import { Alert, Field } from '../../components/field.tsx';
import { SiteLayout } from '../../server/layout.tsx';

/** Mail scanners open links, so only the button verifies the address. */
export function VerifyEmailPage({ token, workspaceName }: { token: string; workspaceName: string }) {
  return (
    <SiteLayout title="Verify your email address" width="narrow">
      <h1>Verify your email address</h1>
      <p>Name your workspace, and your account is ready.</p>
      <form method="post" action="/verify-email" class="card">
        <input type="hidden" name="token" value={token} />
        <Field name="workspaceName" label="Workspace name" value={workspaceName} maxlength={100} isFocused />
        <button type="submit" class="full">
          Verify email address
        </button>
      </form>
      <p class="note">
        Didn't sign up? Someone else used your email address, and you can ignore this page. To take over the
        account, <a href="/forgot-password">choose a new password</a>.
      </p>
    </SiteLayout>
  );
}

export function EmailVerifiedPage() {
  return (
    <SiteLayout title="Email address verified" width="narrow">
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
    </SiteLayout>
  );
}

export function InvalidVerificationLinkPage() {
  return (
    <SiteLayout title="This link no longer works" width="narrow">
      <h1>This link no longer works</h1>
      <p>Verification links expire after 48 hours. Request a new one:</p>
      <ResendVerificationForm />
      <p class="note">
        Already verified? <a href="/sign-in">Sign in</a>.
      </p>
    </SiteLayout>
  );
}

export function RequestVerificationLinkPage() {
  return (
    <SiteLayout title="Get a new link" width="narrow">
      <h1>Get a new link</h1>
      <p>Verification links expire after 48 hours. We'll send you a new one:</p>
      <ResendVerificationForm />
    </SiteLayout>
  );
}

export function EmailNotSentPage({ message }: { message: string }) {
  return (
    <SiteLayout title="Email not sent" width="narrow">
      <h1>Email not sent</h1>
      <Alert message={message} />
      <ResendVerificationForm />
    </SiteLayout>
  );
}

export function CheckEmailPage({ message, email }: { message: string; email?: string }) {
  return (
    <SiteLayout title="Check your email" width="narrow">
      <h1>Check your email</h1>
      <p>{message}</p>
      <p>
        <a href="/sign-in">Sign in</a>
      </p>
      <p class="note">No email after a minute? Check your spam folder, or request a new link:</p>
      <ResendVerificationForm email={email} />
    </SiteLayout>
  );
}

export function ResendVerificationForm({ email }: { email?: string | undefined }) {
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
