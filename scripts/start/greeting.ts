// The lines that a newcomer needs first.
import { signSessionToken } from '../../src/accounts/credentials/session-token.ts';
import { type Machine, readSessionSecret } from './machine.ts';

const DEMO_PASSWORD = 'demo-password-1';
const DEMO_PEOPLE = ['owner', 'admin', 'lead', 'member', 'client', 'outsider'];
/** The name of the key in the list of connected apps. */
const KEY_NAME = 'npm start';

/** Creates an API key and prints it, beside addresses and accounts. */
export async function greet(machine: Machine): Promise<void> {
  const { origin } = machine;
  const key = await createKey(machine).catch((error: unknown) => {
    console.error(`No API key could be created: ${error instanceof Error ? error.message : error}`);
    return null;
  });
  console.log(`
Edgework runs on ${origin}

  App          ${origin}/app (sign in as one of the accounts below)
  Base URL     ${origin}/v1
  MCP          ${origin}/mcp (docs/agents.md)
  Reference    ${origin}/docs
  Keys, apps   ${origin}/connected-apps
  Mail         ${origin}/dev/outbox (nothing is sent from here)

  Accounts     ${DEMO_PEOPLE.map((name) => `${name}@demo.test`).join(', ')}
  Password     ${DEMO_PASSWORD}
  API key      ${key ?? '(none)'}
               of owner@demo.test in Northwind Studio; the key of the start before is revoked

Try:

  export KEY=${key ?? '…'}
  curl -H "Authorization: Bearer $KEY" "${origin}/v1/tasks?status=in_progress&limit=3"

Ctrl-C ends it. npm run reset empties the databases.
`);
}

interface App {
  id: string;
  name: string;
  status: string;
}

/** A key for the demo owner, made the way a person makes one; earlier ones of this script are revoked. */
async function createKey({ origin, owner }: Machine): Promise<string> {
  const issuer = { secret: readSessionSecret(), issuer: origin };
  const { token } = await signSessionToken(issuer, owner, Date.now());
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = JSON.parse(await answer.text());
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${json.error?.message}`);
    return json;
  };
  const { data } = await call<{ data: App[] }>('GET', '/connected-apps?limit=100');
  const earlier = data.filter((app) => app.name === KEY_NAME && app.status === 'active');
  for (const app of earlier) await call('DELETE', `/connected-apps/${app.id}`);
  const created = await call<{ key: string }>('POST', '/connected-apps/api-keys', { name: KEY_NAME });
  return created.key;
}
