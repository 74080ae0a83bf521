import { beforeEach, describe, expect, it } from 'vitest';
import { createFormIdempotencyKey } from '../../../src/kernel/idempotency/sent-forms.ts';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { createFaultyD1 } from '../../suites/faults/faulty-d1.ts';
import { env, getCell } from '../../support/env.ts';
import { formOperations } from '../../support/operations.ts';
import { createEmailAddress, PASSWORD } from '../../support/people.ts';
import { createWorkspace, type Person, type Workspace } from '../../support/world.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

let workspace: Workspace;
let me: Person;
let browser: TestBrowser;

beforeEach(async () => {
  workspace = await createWorkspace({ cell: 1 });
  me = workspace.people.member;
  browser = new TestBrowser();
});

interface SubmitResponse {
  status: number;
  location: string | null;
  html: string;
}

/** Submits the same form twice at once, like a double click, and once later. */
async function submitThreeTimes(
  page: string,
  action: string,
  fields: Record<string, string>,
): Promise<SubmitResponse[]> {
  const form = { ...readFormFields(await (await browser.get(page)).text(), action), ...fields };
  const cookies = [...browser.cookies];
  const submitOnce = async () => {
    // Each request sends the cookies that the browser had when the page was opened.
    const pressed = new TestBrowser();
    for (const [name, value] of cookies) pressed.cookies.set(name, value);
    const answer = await pressed.post(action, form);
    return { status: answer.status, location: answer.headers.get('Location'), html: await answer.text() };
  };
  const first = await Promise.all([submitOnce(), submitOnce()]);
  return [...first, await submitOnce()];
}

const countEmails = async (email: string) =>
  (await env.DIRECTORY.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?')
    .bind(email)
    .first('n')) ?? 0;

async function findMailedLink(email: string): Promise<string> {
  const text = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ? ORDER BY id DESC')
    .bind(email)
    .first<string>('text');
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(text ?? '')?.[0] ?? '');
  return pathname + search;
}

describe('an account form that is submitted repeatedly', () => {
  beforeEach(() => browser.signIn(me));

  it('creates one workspace, and redirects to it each time', async () => {
    const answers = await submitThreeTimes('/account', '/account/workspaces', { name: 'Only one' });
    const places = new Set(answers.map(({ location }) => location));
    expect([places.size, answers.map(({ status }) => status)]).toEqual([1, [303, 303, 303]]);
    expect([...places][0]).toMatch(/^\/app\/ws_/);
    const named = await Promise.all(
      [0, 1].map((no) =>
        getCell(no)
          .prepare("SELECT count(*) AS n FROM workspaces WHERE name = 'Only one'")
          .first<number>('n'),
      ),
    );
    expect((named[0] ?? 0) + (named[1] ?? 0)).toBe(1);
    expect(await (await browser.get([...places][0] ?? '')).text()).toContain('Only one');
  });

  it('completes a workspace whose creation was interrupted by a crash', async () => {
    const form = readFormFields(await (await browser.get('/account')).text(), '/account/workspaces');
    const fields = { ...form, name: 'After the crash' };
    // The cell fails after the directory has stored the new workspace.
    const failWithError = (cell: D1Database) =>
      createFaultyD1(cell, () => new Error('D1_ERROR: overloaded')).d1;
    const cut = { CELL_0: failWithError(getCell(0)), CELL_1: failWithError(getCell(1)) };
    expect((await browser.post('/account/workspaces', fields, {}, cut)).status).toBe(500);
    const again = await browser.post('/account/workspaces', fields);
    expect(await (await browser.get(again.headers.get('Location') ?? '')).text()).toContain(
      'After the crash',
    );
  });

  it('returns the first response again, even though the first request changed the password or used an emailed link', async () => {
    const changed = await submitThreeTimes('/account', '/account/password', {
      password: PASSWORD,
      newPassword: 'one to remember',
    });
    expect(changed.map(({ location }) => location)).toEqual(Array(3).fill('/account?done=password'));
    const email = createEmailAddress();
    const asked = await submitThreeTimes('/account', '/account/email', {
      email,
      password: 'one to remember',
    });
    expect(asked.map(({ location }) => location)).toEqual(Array(3).fill('/account?done=mail'));
    expect(await countEmails(email)).toBe(1);
    const link = await findMailedLink(email);
    const confirmed = await submitThreeTimes(link, '/confirm-email', {});
    expect(confirmed.map(({ html }) => /<h1>(.*?)<\/h1>/.exec(html)?.[1])).toEqual(
      Array(3).fill('Email address changed'),
    );
    expect(await countEmails(me.email)).toBe(1);
    const removed = await submitThreeTimes('/account', '/account/remove', {
      email,
      password: 'one to remember',
    });
    expect(removed.map(({ location }) => location)).toEqual(['/', '/', '/']);
  });

  it('takes effect again with other values or from a newly opened page', async () => {
    const form = readFormFields(await (await browser.get('/account')).text(), '/account/workspaces');
    const places = [
      await browser.post('/account/workspaces', { ...form, name: 'One' }),
      await browser.post('/account/workspaces', { ...form, name: 'Two' }),
      await browser.post('/account/workspaces', {
        ...readFormFields(await (await browser.get('/account')).text(), '/account/workspaces'),
        name: 'Two',
      }),
    ].map((answer) => answer.headers.get('Location'));
    expect(new Set(places).size).toBe(3);
  });

  it('is rejected without its form key', async () => {
    const { csrf = '' } = readFormFields(await (await browser.get('/account')).text(), '/account/name');
    for (const once of [{}, { once: '' }] as Record<string, string>[]) {
      const answer = await browser.post('/account/name', { csrf, ...once, name: 'Not this way' });
      expect(answer.status).toBe(403);
    }
  });
});

describe("a signed-out person's form that is submitted repeatedly", () => {
  it('creates one account, and confirms each time that the email was sent', async () => {
    const email = createEmailAddress();
    const answers = await submitThreeTimes('/sign-up', '/sign-up', {
      name: 'New',
      email,
      password: PASSWORD,
    });
    expect(answers.map(({ html }) => html.includes(`We sent a link to ${email}`))).toEqual([
      true,
      true,
      true,
    ]);
    expect(await countEmails(email)).toBe(1);
  });

  it('sends one password link, and sets the password once', async () => {
    await submitThreeTimes('/forgot-password', '/forgot-password', { email: me.email });
    expect(await countEmails(me.email)).toBe(1);
    const link = await findMailedLink(me.email);
    const reset = await submitThreeTimes(link, '/reset-password', { password: 'another long password' });
    expect(reset.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await browser.get(link)).status).toBe(404);
  });

  it('accepts an invitation once, and opens the workspace each time', async () => {
    const owner = await WorkspaceBrowser.signIn(workspace, workspace.people.owner);
    const email = createEmailAddress();
    await owner.send('/people', '/people/invitations', { email, role: 'member', projectIds: '' });
    const joined = await submitThreeTimes(await findMailedLink(email), '/invitation', {
      name: 'New',
      password: PASSWORD,
    });
    expect(joined.map(({ location }) => location)).toEqual(Array(3).fill(owner.base));
    await browser.signIn(workspace.people.lead);
    const other = await createWorkspace({ cell: 0 });
    const host = await WorkspaceBrowser.signIn(other, other.people.owner);
    const { email: address } = workspace.people.lead;
    await host.send('/people', '/people/invitations', { email: address, role: 'member', projectIds: '' });
    const twice = await submitThreeTimes(await findMailedLink(address), '/invitation', {});
    expect(twice.map(({ location }) => location)).toEqual(Array(3).fill(host.base));
  });
});

it('every form outside a workspace, with two exceptions, returns the same response when submitted again', () => {
  const writes = formOperations.filter(
    ({ access, effect }) => effect === 'write' && (access === 'account' || access === 'public'),
  );
  // An invitation stores who accepted it, so accepting it again needs no form key. An intake form claims its form key in
  // the cell, with the task that it creates: test/sharing/intake.
  const withoutReplay = writes.filter(({ replay }) => !replay).map(({ name }) => name);
  expect([writes.length > 10, withoutReplay]).toEqual([true, ['submitIntakeForm', 'acceptInvitation']]);
});

it('the form keys that prevent duplicate submissions expire after a day', () => {
  const { find } = createFormIdempotencyKey({ now: 86_400_000 + 5 }, 'x');
  expect(find.params).toContain(5);
});
