import { assets } from '../../page-model/assets.ts';
import { SiteLayout } from '../../server/layout.tsx';

export function LandingPage({ origin, isSignedIn }: { origin: string; isSignedIn: boolean }) {
  return (
    <SiteLayout title="Edgework: work management for teams" nav={isSignedIn ? 'member' : 'public'}>
      <h1>Plan, track and finish work as a team</h1>
      <p class="lead">
        Edgework keeps your projects, tasks, meetings, files and time in one place, so everyone knows who is
        doing what by when.
      </p>
      <div class="actions">
        {isSignedIn ? (
          <a class="button" href="/app">
            Open the app
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
      </div>
      <picture>
        <source media="(prefers-color-scheme: dark)" srcset={assets.boardDark} />
        <img
          class="picture"
          src={assets.boardLight}
          width={1280}
          height={800}
          alt="A project board: five columns of cards with deadlines, comments and assignees"
        />
      </picture>
      <h2>Everything your team needs</h2>
      <ul>
        <li>Boards and lists that update live and work from the keyboard.</li>
        <li>A dashboard of overdue work, team workload and progress.</li>
        <li>Time tracking, meetings, shared calendars and files next to the tasks they belong to.</li>
        <li>Clients see only their own projects and tasks.</li>
      </ul>
      <h2>For developers</h2>
      <p>
        Create an API key under <a href="/connected-apps">Connected apps</a>, then list your tasks:
      </p>
      <pre tabindex={0}>{`curl -s '${origin}/v1/tasks?limit=5' \\
  -H "Authorization: Bearer $KEY"`}</pre>
      <p>
        To connect an AI agent, add this URL to any MCP client, then sign in and choose what the agent may do:
      </p>
      <pre tabindex={0}>{`${origin}/mcp`}</pre>
      <p class="note">
        Read the <a href="/docs">docs</a>, or download the <a href="/openapi.json">OpenAPI document</a>.
      </p>
    </SiteLayout>
  );
}
