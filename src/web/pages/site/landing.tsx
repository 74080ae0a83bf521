import { assets } from '../../page-model/assets.ts';
import { Layout } from '../../server/layout.tsx';

/** Explains the service to somebody who opens the address in a browser. */
export function Landing({ origin, isSignedIn }: { origin: string; isSignedIn: boolean }) {
  return (
    <Layout
      title="Edgework: work management for teams, programs and agents"
      nav={isSignedIn ? 'member' : 'public'}
    >
      <h1>Work in one place, for people and for programs</h1>
      <p class="lead">
        Boards, tasks, comments and time for a team; the same through one JSON interface for your own code,
        and for the agents that you let in. Answered close to whoever asks.
      </p>
      <div class="actions">
        {isSignedIn ? (
          <a class="button" href="/app">
            Open your work
          </a>
        ) : (
          <>
            <a class="button" href="/sign-up">
              Create an account
            </a>
            <a class="button plain" href="/sign-in">
              Sign in
            </a>
          </>
        )}
        <a class="button plain" href="/docs">
          Read the reference
        </a>
      </div>
      <picture>
        <source media="(prefers-color-scheme: dark)" srcset={assets.boardDark} />
        <img
          class="picture"
          src={assets.boardLight}
          width={1280}
          height={800}
          alt="The board of a project: five columns of cards with their deadlines, comments and people"
        />
      </picture>
      <h2>First request</h2>
      <p>
        Create an API key under <a href="/connected-apps">Connected apps</a>, then ask for your tasks:
      </p>
      <pre tabindex={0}>{`curl -s '${origin}/v1/tasks?limit=5' \\
  -H "Authorization: Bearer $KEY"`}</pre>
      <h2>Connect an agent</h2>
      <p>Give a client that speaks MCP this address. It asks you to sign in and to say what it may do:</p>
      <pre tabindex={0}>{`${origin}/mcp`}</pre>
      <p class="note">
        Everything that answers is listed in the <a href="/docs">reference</a> and in{' '}
        <a href="/openapi.json">/openapi.json</a>.
      </p>
    </Layout>
  );
}
