import { expect, it } from 'vitest';
import { send } from '../support/api.ts';
import { createEmailAddress, registerAccount } from '../support/people.ts';

const localVariables = { ENVIRONMENT: 'local' };
const openOutbox = (origin: string, variables: Partial<Env>) =>
  send(new Request(`${origin}/dev/outbox`), variables);

it.each(['http://localhost:8787', 'http://127.0.0.1:8787', 'http://[::1]:8787'])(
  "a local deployment's outbox lists emails at %s, newest first",
  async (origin) => {
    const [first, second] = [createEmailAddress(), createEmailAddress()];
    await registerAccount(first);
    await registerAccount(second);
    const answer = await openOutbox(origin, localVariables);
    const emails = (await answer.json()) as { to: string; text: string }[];
    expect(emails.slice(0, 2).map((mail) => mail.to)).toEqual([second, first]);
    expect(Object.keys(emails[0] ?? {}).sort()).toEqual(['createdAt', 'html', 'subject', 'text', 'to']);
    expect(emails[0]?.text).toContain('/verify-email?token=');
  },
);

it.each([
  ['a production deployment', 'http://localhost:8787', { ENVIRONMENT: 'production' }],
  ['another host name', 'https://edgework.test', localVariables],
])('the outbox returns 404 on %s, like any unknown path', async (_, origin, variables) => {
  const answer = await openOutbox(origin, variables);
  const unknown = await send(new Request(`${origin}/dev/nothing`), variables);
  expect(answer.status).toBe(404);
  expect((await answer.text()).replace('/dev/outbox', '')).toBe(
    (await unknown.text()).replace('/dev/nothing', ''),
  );
});
