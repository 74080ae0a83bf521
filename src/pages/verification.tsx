import { Layout } from './layout.tsx';

/** A button, not a link that acts: mail scanners open links, and must not verify an address. */
export function ConfirmVerification({ token }: { token: string }) {
  return (
    <Layout title="Verify your email address">
      <h1>Verify your email address</h1>
      <p>One press and your account is ready.</p>
      <form method="post" action="/verify-email">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Verify my address</button>
      </form>
    </Layout>
  );
}

export function Verified({ origin }: { origin: string }) {
  return (
    <Layout title="Your address is verified">
      <h1>Your address is verified</h1>
      <p>Your account and its first workspace are ready. Sign in:</p>
      <pre tabindex={0}>{`curl -s ${origin}/v1/auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"…","password":"…"}'`}</pre>
      <p>
        The <a href="/docs">reference</a> shows what to do next.
      </p>
    </Layout>
  );
}

export function LinkNotValid() {
  return (
    <Layout title="This link no longer works">
      <h1>This link no longer works</h1>
      <p>Verification links hold for 48 hours. Ask for a new one:</p>
      <ResendForm />
      <p class="note">If your address is verified already, simply sign in.</p>
    </Layout>
  );
}

export function ResendRefused({ message }: { message: string }) {
  return (
    <Layout title="No mail was sent">
      <h1>No mail was sent</h1>
      <p role="alert">{message}</p>
      <ResendForm />
    </Layout>
  );
}

export function Resent({ message }: { message: string }) {
  return (
    <Layout title="Check your mail">
      <h1>Check your mail</h1>
      <p>{message}</p>
    </Layout>
  );
}

function ResendForm() {
  return (
    <form method="post" action="/verify-email/resend" class="card">
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" autocomplete="email" required maxlength={254} />
      <button type="submit">Send a new link</button>
    </form>
  );
}
