import { Layout } from './layout.tsx';

/** What this is, for somebody who opened the address in a browser. */
export function Landing({ origin }: { origin: string }) {
  return (
    <Layout title="Edgework: work management as an API">
      <h1>Work management as an API</h1>
      <p class="lead">
        Workspaces, projects, tasks, comments and notifications behind one JSON interface, answered close to
        whoever asks.
      </p>
      <div class="actions">
        <a class="button" href="/docs">
          Read the reference
        </a>
        <a class="button plain" href="/openapi.json">
          OpenAPI document
        </a>
      </div>
      <h2>First request</h2>
      <p>Sign in and keep the token:</p>
      <pre tabindex={0}>{`curl -s ${origin}/v1/auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}'`}</pre>
      <p>Then ask for your tasks:</p>
      <pre tabindex={0}>{`curl -s '${origin}/v1/tasks?limit=5' \\
  -H "Authorization: Bearer $TOKEN"`}</pre>
      <p class="note">
        Servers use an API key in place of the token: create one with POST /v1/connected-apps/api-keys.
      </p>
    </Layout>
  );
}
