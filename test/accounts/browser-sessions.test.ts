import { beforeEach, describe, expect, it } from 'vitest';
import {
  cleanBrowserSessions,
  deleteSessionCopies,
} from '../../src/accounts/browser-sessions/end-sessions.ts';
import { signOutBrowserById, signOutOtherBrowsers } from '../../src/accounts/own/browsers.ts';
import { changePassword } from '../../src/accounts/own/change-profile.ts';
import { hashSecret } from '../../src/kernel/secrets/tokens.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { removePerson } from '../../src/workspaces/people/remove-person.ts';
import { readFormFields, TestBrowser } from '../oauth/flow.ts';
import { createFaultyD1 } from '../suites/faults/faulty-d1.ts';
import { runForAccount } from '../support/accounts.ts';
import { env, getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { PASSWORD, setPassword } from '../support/people.ts';
import { openScope } from '../support/scope.ts';
import { addMember, createWorkspace, type Person, type Workspace } from '../support/world.ts';

let firstWorkspace: Workspace;
let secondWorkspace: Workspace;
let me: Person;
let browser: TestBrowser;
/** The hash of the session cookie that the browser had while it was signed in. */
let idHash: string;

const openInBothWorkspaces = (of = browser, variables: Partial<Env> = {}) =>
  Promise.all(
    [firstWorkspace, secondWorkspace].map(
      async ({ id }) => (await of.get(`/app/${id}/tasks`, variables)).status,
    ),
  );
const countSessionCopies = (no: number) =>
  getCell(no)
    .prepare('SELECT count(*) AS n FROM workspace_sessions WHERE id_hash = ?')
    .bind(idHash)
    .first<number>('n');

beforeEach(async () => {
  [firstWorkspace, secondWorkspace] = await Promise.all([
    createWorkspace({ cell: 0 }),
    createWorkspace({ cell: 1 }),
  ]);
  me = firstWorkspace.people.member;
  await setPassword(me.userId);
  await addMember(secondWorkspace, me, 'member');
  browser = new TestBrowser();
  await browser.signInAs(me);
  idHash = hashSecret(browser.session ?? '');
  expect(await openInBothWorkspaces()).toEqual([200, 200]);
});

const createUnavailableDirectory = () => ({
  DIRECTORY: createFaultyD1(env.DIRECTORY, () => 'overloaded').d1,
});
const getSession = () => ({ userId: me.userId, session: idHash });
const signOut = async (of: TestBrowser) =>
  of.post('/sign-out', readFormFields(await (await of.get('/sign-out')).text()));

describe('a browser that has opened two workspaces', () => {
  it("is authenticated by both workspaces' cells, without a query to the directory database", async () => {
    expect([await countSessionCopies(0), await countSessionCopies(1)]).toEqual([1, 1]);
    expect(await openInBothWorkspaces(browser, createUnavailableDirectory())).toEqual([200, 200]);
  });

  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'signs out': () => signOut(browser),
    'is signed out from another browser': async () => {
      const other = new TestBrowser();
      await other.signInAs(me);
      const by = { userId: me.userId, session: hashSecret(other.session ?? '') };
      await runForAccount(by, signOutOtherBrowsers, {});
    },
    'is signed out by its id': async () => {
      const id = idHash.slice(0, 16);
      await runForAccount(getSession(), signOutBrowserById, { id });
    },
    'is signed out by a password change': async () => {
      const other = new TestBrowser();
      await other.signInAs(me);
      const by = { userId: me.userId, session: hashSecret(other.session ?? '') };
      const input = { password: PASSWORD, newPassword: 'another good password', endAccess: false };
      expect((await runForAccount(by, changePassword, input)).status).toBe(200);
    },
    'signs in again': async () => {
      const form = readFormFields(await (await browser.get('/sign-out')).text());
      const answer = await browser.post('/sign-in', { ...form, email: me.email, password: PASSWORD });
      expect(answer.status).toBe(303);
    },
  };

  it.each(Object.keys(ways))("can't be impersonated with a copy of its cookies after it %s", async (way) => {
    const thief = browser.copy();
    await ways[way]?.();
    expect(await openInBothWorkspaces(thief)).toEqual([303, 303]);
    expect([await countSessionCopies(0), await countSessionCopies(1)]).toEqual([0, 0]);
  });

  it('loses access to a workspace when the person is removed from that workspace', async () => {
    const { owner } = secondWorkspace.people;
    expect((await runForm(owner.token, removePerson, { userId: me.userId })).status).toBe(200);
    expect(await openInBothWorkspaces()).toEqual([200, 404]);
  });

  it("is signed out later by the cron job if a cell didn't respond to the sign-out", async () => {
    const thief = browser.copy();
    const CELL_1 = createFaultyD1(env.CELL_1, () => 'overloaded').d1;
    const form = readFormFields(await (await browser.get('/sign-out')).text());
    expect((await browser.post('/sign-out', form, {}, { CELL_1 } as Partial<Env>)).status).toBe(303);
    expect([await countSessionCopies(0), await countSessionCopies(1)]).toEqual([0, 1]);
    const countRemainingSessions = () =>
      env.DIRECTORY.prepare('SELECT count(*) AS n FROM ended_sessions').first<number>('n');
    expect(await countRemainingSessions()).toBe(1);
    expect(await cleanBrowserSessions.run(openScope(), unlimitedAllowance)).toBe(false);
    expect([await countSessionCopies(1), await countRemainingSessions()]).toEqual([0, 0]);
    expect(await openInBothWorkspaces(thief)).toEqual([303, 303]);
  });
});

describe('a session that ends while a cell is copying it', () => {
  it('is rejected on the next request, and leaves no copy in the cell', async () => {
    const late = new TestBrowser();
    await late.signInAs(me);
    const lateHash = hashSecret(late.session ?? '');
    // The session ends as soon as the cell has stored a copy of it.
    const ending = createFaultyD1(env.CELL_0, () => undefined);
    const CELL_0 = new Proxy(ending.d1, {
      get: (target, name) =>
        name === 'batch'
          ? async (statements: D1PreparedStatement[]) => {
              const results = await target.batch(statements);
              const isThere = await env.CELL_0.prepare(
                'SELECT 1 AS n FROM workspace_sessions WHERE id_hash = ?',
              )
                .bind(lateHash)
                .first('n');
              if (isThere !== null) {
                await env.DIRECTORY.prepare('DELETE FROM browser_sessions WHERE id_hash = ?')
                  .bind(lateHash)
                  .run();
                await deleteSessionCopies(openScope(), 'usr_nobody');
              }
              return results;
            }
          : Reflect.get(target, name),
    });
    expect((await late.get(`/app/${firstWorkspace.id}/tasks`, { CELL_0 })).status).toBe(200);
    const stored = await env.CELL_0.prepare('SELECT is_confirmed FROM workspace_sessions WHERE id_hash = ?')
      .bind(lateHash)
      .first('is_confirmed');
    expect(stored).toBeNull();
    expect((await late.get(`/app/${firstWorkspace.id}/tasks`)).status).toBe(303);
  });
});

it('a forged ew_place cookie neither signs a person out nor grants access', async () => {
  const forged = new TestBrowser();
  await forged.signInAs(me);
  for (const place of ['1', '0.1.1', `0.${firstWorkspace.no}.${me.member}.${'x'.repeat(43)}`]) {
    forged.cookies.set('ew_place', place);
    expect((await forged.get(`/app/${firstWorkspace.id}/tasks`)).status).toBe(200);
  }
  const stranger = new TestBrowser();
  stranger.cookies.set('ew_place', `0.${firstWorkspace.no}.${me.member}.${'x'.repeat(43)}`);
  expect((await stranger.get(`/app/${firstWorkspace.id}/tasks`)).status).toBe(303);
});
