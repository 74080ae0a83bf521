// Everybody who calls: people of the demo workspace, one of another, and a newcomer with a workspace of her own.
import { setTimeout } from 'node:timers/promises';
import { Browser } from '../browser.ts';
import type { Actor, Recorder } from '../recorder.ts';

const DEMO_PASSWORD = 'demo-password-1';
const MAIL_TRIES_MAX = 50;
const MAIL_PAUSE_MS = 100;
const NEWCOMER = { email: 'record@example.com', password: 'a long password to record', name: 'Rea Corder' };

export interface Person extends Actor {
  readonly userId: string;
  readonly token: string;
}

export interface People {
  readonly nobody: Actor;
  readonly owner: Person;
  readonly lead: Person;
  readonly member: Person;
  readonly client: Person;
  readonly outsider: Person;
  readonly newcomer: Person;
  /** An API key of the owner. */
  readonly key: Actor;
}

/** Few sign-ins: an address has ten in a quarter of an hour, and the last of them are wanted for their refusal. */
export async function recordPeople(recorder: Recorder): Promise<People> {
  const nobody = recorder.as('nobody');
  await recordRegistration(recorder, nobody);
  const demo = (name: string) => signIn(recorder, nobody, name, `${name}@demo.test`, DEMO_PASSWORD);
  const owner = await demo('owner');
  const people = {
    nobody,
    owner,
    lead: await demo('lead'),
    member: await demo('member'),
    client: await demo('client'),
    outsider: await demo('outsider'),
    newcomer: await signIn(recorder, nobody, 'newcomer', NEWCOMER.email, NEWCOMER.password),
  };
  for (const person of [owner, people.client, people.newcomer]) {
    await person.call('GET', '/v1/me');
    await person.call('GET', '/v1/workspaces');
    await person.call('GET', `/v1/users/${person.userId}`);
  }
  const created = await owner.call('POST', '/v1/connected-apps/api-keys', { name: 'Recorder' });
  await owner.call('POST', '/v1/connected-apps/api-keys', { name: 'Recorder' });
  return { ...people, key: recorder.as('key', created.read('key')) };
}

async function recordRegistration(recorder: Recorder, nobody: Actor) {
  await nobody.call('POST', '/v1/auth/register', { ...NEWCOMER, password: 'short' });
  await nobody.call('POST', '/v1/auth/register', { ...NEWCOMER, email: 'no address' });
  await nobody.call('POST', '/v1/auth/register', NEWCOMER);
  await nobody.call('POST', '/v1/auth/register', NEWCOMER);
  await nobody.call('POST', '/v1/auth/login', { email: NEWCOMER.email, password: NEWCOMER.password });
  await nobody.call('POST', '/verify-email/resend', { email: 'unknown@example.com' });
  const token = await tokenOfMail(recorder);
  const browser = new Browser(recorder, 'browser of the newcomer');
  await browser.open('/verify-email?token=wrong');
  const page = await browser.open(`/verify-email?token=${token}`);
  await browser.submit(page, {});
  await browser.submit(page, {});
}

/** Waits for the mail, which goes out after the answer. Mails to others lie there too, sent whenever the cron came by. */
async function tokenOfMail(recorder: Recorder): Promise<string> {
  for (let tries = 0; tries < MAIL_TRIES_MAX; tries += 1) {
    const token = /verify-email\?token=([\w-]+)/.exec(await recorder.look('/dev/outbox'))?.[1];
    if (token) return token;
    await setTimeout(MAIL_PAUSE_MS);
  }
  throw new Error('The mail with the link to verify the address did not come');
}

async function signIn(
  recorder: Recorder,
  nobody: Actor,
  name: string,
  email: string,
  password: string,
): Promise<Person> {
  const answer = await nobody.call('POST', '/v1/auth/login', { email, password });
  const token = answer.read('token');
  return { ...recorder.as(name, token), token, userId: answer.read('user.id') };
}
