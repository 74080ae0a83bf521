// The callers: demo users and new users who own a workspace. Each has an API key for REST and an OAuth token for MCP.
import { openDatabases } from '../../scripts/operate/databases.ts';
import type { PreparedServer } from '../../scripts/own-server.ts';
import { createToken, hashSecret } from '../../src/kernel/secrets/tokens.ts';
import { type Client, openClient } from './client.ts';

const DEMO_PASSWORD = 'demo-password-1';
const PASSWORD = 'a long password for the soak';
const demo = ['owner', 'admin', 'lead', 'member'];
const SCOPES =
  'tasks:read tasks:write projects:read time:read time:write dashboard:read notifications:read profile:read';

interface SignedInPerson {
  readonly email: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly session: Client;
  readonly client: Client;
  readonly key: string;
  readonly projectId: number;
}

export interface PersonWithTokens extends SignedInPerson {
  readonly token: string;
  readonly agent: Client;
}

export interface Person extends PersonWithTokens {
  readonly stranger: Client;
  readonly since: number;
}

/** Signs in the demo users, and registers `fresh` new users, each of whom owns a new workspace. */
export async function signInPeople(origin: string, fresh: number): Promise<SignedInPerson[]> {
  const people: SignedInPerson[] = [];
  for (const name of demo) people.push(await signIn(origin, `${name}@demo.test`, DEMO_PASSWORD));
  for (let made = 0; made < fresh; made += 1)
    people.push(await registerOwner(origin, `soak-${made}@example.com`));
  return people;
}

async function registerOwner(origin: string, email: string): Promise<SignedInPerson> {
  const visitor = openClient(origin);
  await visitor.sendUntilAnswered('POST', '/v1/auth/register', { email, password: PASSWORD, name: 'Soak' });
  const outbox: { to: string; text: string }[] = JSON.parse(
    (await visitor.sendUntilAnswered('GET', '/dev/outbox')).text,
  );
  const mail = outbox.find(({ to }) => to === email);
  const token = /verify-email\?token=(\S+)/.exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`${email} got no verification email`);
  const form = Buffer.from(new URLSearchParams({ token }).toString());
  const verified = await visitor.sendUntilAnswered('POST', '/verify-email', new Uint8Array(form), {
    'Content-Type': 'application/x-www-form-urlencoded',
  });
  if (verified.status !== 200)
    throw new Error(`POST /verify-email returned ${verified.status}: ${verified.text}`);
  return signIn(origin, email, PASSWORD);
}

async function signIn(origin: string, email: string, password: string): Promise<SignedInPerson> {
  const answer = await openClient(origin).sendUntilAnswered('POST', '/v1/auth/login', { email, password });
  if (answer.status !== 200) throw new Error(`${email} could not sign in: ${answer.text}`);
  const { token }: { token: string } = JSON.parse(answer.text);
  const session = openClient(origin, token);
  const me = await session.read<{ id: string; workspace: { id: string } }>('/me');
  const { key } = await session.write<{ key: string }>('POST', '/connected-apps/api-keys', { name: 'soak' });
  const client = openClient(origin, key);
  const projects = await client.read<{ data: { id: number }[] }>('/projects?scope=mine&limit=100');
  const [project] = projects.data;
  if (!project) throw new Error(`${email} has no project`);
  return { email, userId: me.id, workspaceId: me.workspace.id, session, client, key, projectId: project.id };
}

/** Call this while the server is down. Inserts OAuth tokens as the consent page would. */
export async function grantTokens(
  server: PreparedServer,
  people: readonly SignedInPerson[],
): Promise<PersonWithTokens[]> {
  const databases = await openDatabases({ persistTo: server.state, isWritten: true });
  const granted = people.map((person) => ({ ...person, token: createToken('ew_oat_', 0) }));
  try {
    const statements = granted.map(({ token, userId, workspaceId }) => ({
      sql: `INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at)
        SELECT ?, m.ws, m.no, 'oauth', 'soak', 'ew_oat_', ?, 1 FROM members m JOIN workspaces w ON w.no = m.ws
        WHERE m.user_id = ? AND w.id = ?`,
      params: [hashSecret(token), SCOPES, userId, workspaceId],
      read: () => undefined,
    }));
    await databases.cells.get(0)?.batch(statements);
  } finally {
    await databases.close();
  }
  return granted.map((person) => ({ ...person, agent: openClient(server.origin, person.token) }));
}
