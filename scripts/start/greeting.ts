import type { PreparedMachine } from './machine.ts';

const DEMO_PASSWORD = 'demo-password-1';
const DEMO_PEOPLE = ['owner', 'admin', 'lead', 'member', 'client', 'outsider'];

export function describeServer({ origin, demo }: PreparedMachine): string {
  return `
Edgework is running at ${origin}

  App          ${origin}/app
  Base URL     ${origin}/v1
  MCP          ${origin}/mcp (docs/agents.md)
  Reference    ${origin}/docs
  Mail         ${origin}/dev/outbox (no email leaves this machine)

${describeDemo(demo.key)}

Try:

  export KEY=${demo.key}
  curl -H "Authorization: Bearer $KEY" "${origin}/v1/tasks?status=in_progress&limit=3"

Press Ctrl-C to stop. npm run reset empties the databases.
`;
}

export function describeDemo(key: string): string {
  return `  Accounts     ${DEMO_PEOPLE.map((name) => `${name}@demo.test`).join(', ')}
  Password     ${DEMO_PASSWORD}
  API key      ${key}
               for owner@demo.test in Northwind Studio`;
}
