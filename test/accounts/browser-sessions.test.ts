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
import { hidden, TestBrowser } from '../oauth/flow.ts';
import { createFaultyD1 } from '../suites/faults/faulty-d1.ts';
import { runForAccount } from '../support/accounts.ts';
import { cellOf, env } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { PASSWORD, setPassword } from '../support/people.ts';
import { openScope } from '../support/scope.ts';
import { addMember, createWorkspace, type Person, type Workspace } from '../support/world.ts';

let first: Workspace;
let second: Workspace;
let me: Person;
let browser: TestBrowser;
/** The hash of the session cookie that the browser had while it was signed in. */
let idHash: string;

/** Opens a page of each workspace, and returns the statuses. */
const open = (of = browser, variables: Partial<Env> = {}) =>
  Promise.all([first, second].map(async ({ id }) => (await of.get(`/app/${id}/tasks`, variables)).status));
const countIn = (no: number) =>
  cellOf(no)
    .prepare('SELECT count(*) AS n FROM workspace_sessions WHERE id_hash = ?')
    .bind(idHash)
    .first<number>('n');

beforeEach(async () => {
  [first, second] = await Promise.all([createWorkspace({ cell: 0 }), createWorkspace({ cell: 1 })]);
  me = first.people.member;
  await setPassword(me.userId);
  await addMember(second, me, 'member');
  browser = new TestBrowser();
  await browser.enter(me);
  idHash = hashSecret(browser.session ?? '');
  expect(await open()).toEqual([200, 200]);
});

const directoryDown = () => ({ DIRECTORY: createFaultyD1(env.DIRECTORY, () => 'overloaded').d1 });
const session = () => ({ userId: me.userId, session: idHash });
const signOut = async (of: TestBrowser) =>
  of.post('/sign-out', hidden(await (await of.get('/sign-out')).text()));

describe('a browser that has opened two workspaces', () => {
  it("is authenticated by both workspaces' cells, without a query to the directory database", async () => {
    expect([await countIn(0), await countIn(1)]).toEqual([1, 1]);
    expect(await open(browser, directoryDown())).toEqual([200, 200]);
  });

  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    'signs out': () => signOut(browser),
    'is signed out from another browser': async () => {
      const other = new TestBrowser();
      await other.enter(me);
      const by = { userId: me.userId, session: hashSecret(other.session ?? '') };
      await runForAccount(by, signOutOtherBrowsers, {});
    },
    'is signed out by its id': async () => {
      const id = idHash.slice(0, 16);
      await runForAccount(session(), signOutBrowserById, { id });
    },
    'is signed out by a changed password': async () => {
      const other = new TestBrowser();
      await other.enter(me);
      const by = { userId: me.userId, session: hashSecret(other.session ?? '') };
      const input = { password: PASSWORD, newPassword: 'another good password', endAccess: false };
      expect((await runForAccount(by, changePassword, input)).status).toBe(200);
    },
    'signs in again': async () => {
      const form = hidden(await (await browser.get('/sign-out')).text());
      const answer = await browser.post('/sign-in', { ...form, email: me.email, password: PASSWORD });
      expect(answer.status).toBe(303);
    },
  };

  it.each(Object.keys(ways))(
    'is rejected in both workspaces on the next request after it %s',
    async (way) => {
      const thief = browser.copy();
      await ways[way]?.();
      expect(await open(thief)).toEqual([303, 303]);
      expect([await countIn(0), await countIn(1)]).toEqual([0, 0]);
    },
  );

  it('loses access to a workspace when the person is removed from that workspace', async () => {
    const { owner } = second.people;
    expect((await runForm(owner.token, removePerson, { userId: me.userId })).status).toBe(200);
    expect(await open()).toEqual([200, 404]);
  });

  it("is signed out later by the cron job if a cell doesn't respond", async () => {
    const thief = browser.copy();
    const CELL_1 = createFaultyD1(env.CELL_1, () => 'overloaded').d1;
    const form = hidden(await (await browser.get('/sign-out')).text());
    expect((await browser.post('/sign-out', form, {}, { CELL_1 } as Partial<Env>)).status).toBe(303);
    expect([await countIn(0), await countIn(1)]).toEqual([0, 1]);
    const left = () => env.DIRECTORY.prepare('SELECT count(*) AS n FROM ended_sessions').first<number>('n');
    expect(await left()).toBe(1);
    expect(await cleanBrowserSessions.run(openScope(), unlimitedAllowance)).toBe(false);
    expect([await countIn(1), await left()]).toEqual([0, 0]);
    expect(await open(thief)).toEqual([303, 303]);
  });
});

describe('a session that ends while a cell is copying it', () => {
  it('is rejected on the next request, and leaves no copy in the cell', async () => {
    const late = new TestBrowser();
    await late.enter(me);
    const lateHash = hashSecret(late.session ?? '');
    // The session ends after the page is read, and before the directory is queried again.
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
    expect((await late.get(`/app/${first.id}/tasks`, { CELL_0 })).status).toBe(200);
    const stored = await env.CELL_0.prepare('SELECT is_confirmed FROM workspace_sessions WHERE id_hash = ?')
      .bind(lateHash)
      .first('is_confirmed');
    expect(stored).toBeNull();
    expect((await late.get(`/app/${first.id}/tasks`)).status).toBe(303);
  });
});

it("a forged cookie can't select a cell, and the directory database is queried instead", async () => {
  const forged = new TestBrowser();
  await forged.enter(me);
  for (const place of ['1', '0.1.1', `0.${first.no}.${me.member}.${'x'.repeat(43)}`]) {
    forged.cookies.set('ew_place', place);
    expect((await forged.get(`/app/${first.id}/tasks`)).status).toBe(200);
  }
  const stranger = new TestBrowser();
  stranger.cookies.set('ew_place', `0.${first.no}.${me.member}.${'x'.repeat(43)}`);
  expect((await stranger.get(`/app/${first.id}/tasks`)).status).toBe(303);
});
