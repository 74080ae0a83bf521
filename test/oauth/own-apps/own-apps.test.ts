// This file is long because its tests share the functions that register an app and approve it as several people.
import { describe, expect, it } from 'vitest';
import { deleteAccount } from '../../../src/accounts/own/delete-account.ts';
import { buildFingerprint } from '../../../src/kernel/operation/snapshot.ts';
import {
  createOwnApp,
  deleteOwnApp,
  listOwnApps,
  updateOwnApp,
} from '../../../src/oauth/own-apps/own-apps.ts';
import { readAuditEntries } from '../../audit/audit-entries.ts';
import {
  BATCH_STEP,
  BATCHES_MAX,
  createFaultyD1,
  failNthBatch,
  testedFaults,
} from '../../suites/faults/faulty-d1.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env } from '../../support/env.ts';
import { PASSWORD, setPassword } from '../../support/people.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createWorkspace, type Person } from '../../support/world.ts';
import {
  buildAuthorizePath,
  exchangeCode,
  giveConsent,
  obtainCode,
  obtainToken,
  REDIRECT_URI,
  registerClient,
  TestBrowser,
} from '../flow.ts';

type Session = Awaited<ReturnType<typeof signIn>>;
const getDatabase = (name: string) =>
  (meteredEnv as unknown as Record<string, D1Database>)[name] as D1Database;

async function listApps(session: Session) {
  return (await runForAccount(session, listOwnApps, {})).body.apps;
}

async function registerApp(
  session: Session,
  name = 'Report',
  redirectUris: string = REDIRECT_URI,
): Promise<string> {
  expect((await runForAccount(session, createOwnApp, { name, redirectUris })).status).toBe(200);
  return (await listApps(session)).find((app: { name: string }) => app.name === name).id;
}

async function enterAs(person: Pick<Person, 'userId'>): Promise<TestBrowser> {
  const browser = new TestBrowser();
  await browser.signInAs(person);
  return browser;
}

/** Creates an app. Returns its owner, and the tokens of two people in different cells who authorized the app. */
async function createUsedApp() {
  const [home, abroad] = [await createWorkspace({ cell: 0 }), await createWorkspace({ cell: 1 })];
  const owner = home.people.lead;
  const session = await signIn(owner.userId);
  const id = await registerApp(session);
  const tokens = [
    await obtainToken(await enterAs(home.people.member), id),
    await obtainToken(await enterAs(abroad.people.member), id),
  ];
  return { home, owner, session, id, tokens };
}

const countRows = (id: string) =>
  env.DIRECTORY.prepare(
    `SELECT (SELECT count(*) FROM oauth_clients WHERE id = ?1) + (SELECT count(*) FROM oauth_app_people WHERE client_id = ?1) AS n`,
  )
    .bind(id)
    .first('n');
const getStatus = async (token: string) => (await api(token).get('/tasks')).status;

describe("a person's own OAuth app", () => {
  it('can be authorized in every cell, and its owner is shown on the consent page', async () => {
    const { home, owner, session, id, tokens } = await createUsedApp();
    for (const token of tokens) expect(await getStatus(token)).toBe(200);
    const browser = await enterAs(home.people.member);
    const page = await (await browser.get(buildAuthorizePath(id))).text();
    expect(page).toContain(
      `<dt>Registered by</dt><dd><strong class="wrap-anywhere">${owner.email}</strong></dd>`,
    );
    await obtainToken(browser, id);
    expect(await listApps(session)).toEqual([
      { id, name: 'Report', redirectUris: REDIRECT_URI, createdAt: expect.any(String), people: 2 },
    ]);
  });

  it('is listed with the number of people who have approved it, not counting those who declined', async () => {
    const { people } = await createWorkspace();
    const session = await signIn(people.owner.userId);
    const id = await registerApp(session);
    const browser = await enterAs(people.member);
    await giveConsent(browser, buildAuthorizePath(id), (form) => form.set('decision', 'refuse'));
    expect((await listApps(session))[0].people).toBe(0);
    const unowned = await registerClient();
    const page = await (await browser.get(buildAuthorizePath(unowned))).text();
    expect(page).not.toContain('Registered by');
    await obtainToken(browser, unowned);
    expect(await countRows(unowned)).toBe(1);
  });

  it('no longer accepts removed redirect URIs, but tokens that were already issued stay valid', async () => {
    const { home, session, id, tokens } = await createUsedApp();
    const other = 'https://app.example/other';
    const change = { id, name: 'Renamed', redirectUris: `  ${other}\n\nhttp://localhost/callback ` };
    expect((await runForAccount(session, updateOwnApp, change)).status).toBe(200);
    expect((await listApps(session))[0]).toMatchObject({
      name: 'Renamed',
      redirectUris: `${other}\nhttp://localhost/callback`,
    });
    const browser = await enterAs(home.people.member);
    expect((await browser.get(buildAuthorizePath(id))).status).toBe(400);
    const page = await browser.get(buildAuthorizePath(id, { redirect_uri: other }));
    expect(await page.text()).toContain('Renamed');
    expect(await Promise.all(tokens.map(getStatus))).toEqual([200, 200]);
  });

  it("can't be changed with a form that was rendered before a change in another tab", async () => {
    const { people } = await createWorkspace();
    const session = await signIn(people.owner.userId);
    const id = await registerApp(session);
    const shown = { name: buildFingerprint('Report') };
    expect((await runForAccount(session, updateOwnApp, { id, name: 'Theirs' }, {}, shown)).status).toBe(200);
    const before = await readAllContents();
    expect((await runForAccount(session, updateOwnApp, { id, name: 'Mine' }, {}, shown)).status).toBe(412);
    expect(await readAllContents()).toEqual(before);
  });

  it.each([
    ['a blank name', { name: ' ' }],
    ['an invisible character in the name', { name: 'Edge\u200bwork' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['no redirect URI', { redirectUris: ' \n ' }],
    ['a javascript redirect URI', { redirectUris: `${REDIRECT_URI}\njavascript:alert(1)` }],
    ['an http redirect URI on another host', { redirectUris: 'http://app.example/callback' }],
    [
      'eleven redirect URIs',
      { redirectUris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`).join('\n') },
    ],
  ])("can't be created or changed with %s, and nothing is written", async (_, changes) => {
    const { people } = await createWorkspace();
    const session = await signIn(people.owner.userId);
    const id = await registerApp(session);
    const before = await readAllContents();
    const made = await runForAccount(session, createOwnApp, {
      name: 'New',
      redirectUris: REDIRECT_URI,
      ...changes,
    });
    const changed = await runForAccount(session, updateOwnApp, { id, ...changes });
    expect([made.status, changed.status]).toEqual([400, 400]);
    expect(await readAllContents()).toEqual(before);
  });

  it('can only be seen, changed and deleted by its owner', async () => {
    const { people } = await createWorkspace();
    const id = await registerApp(await signIn(people.owner.userId));
    const stranger = await signIn(people.admin.userId);
    const before = await readAllContents();
    expect(await listApps(stranger)).toEqual([]);
    expect((await runForAccount(stranger, updateOwnApp, { id, name: 'Taken' })).status).toBe(404);
    expect((await runForAccount(stranger, deleteOwnApp, { id })).status).toBe(404);
    const unowned = await registerClient();
    expect((await runForAccount(stranger, deleteOwnApp, { id: unowned })).status).toBe(404);
    await env.DIRECTORY.prepare('DELETE FROM oauth_clients WHERE id = ?').bind(unowned).run();
    expect(await readAllContents()).toEqual(before);
  });

  it("can't be created if the person already has 20 apps", async () => {
    const { people } = await createWorkspace();
    const session = await signIn(people.owner.userId);
    for (let no = 1; no <= 20; no += 1) await registerApp(session, `App ${no}`);
    const before = await readAllContents();
    const { status, body } = await runForAccount(session, createOwnApp, {
      name: 'App 21',
      redirectUris: REDIRECT_URI,
    });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('up to 20 apps')]);
    expect(await readAllContents()).toEqual(before);
  });
});

describe('deleting an OAuth app', () => {
  it('revokes its tokens and codes in every cell, and is recorded in the audit log', async () => {
    const { home, session, id, tokens } = await createUsedApp();
    const code = await obtainCode(await enterAs(home.people.admin), id);
    expect((await runForAccount(session, deleteOwnApp, { id })).status).toBe(200);
    expect(await Promise.all(tokens.map(getStatus))).toEqual([401, 401]);
    expect((await exchangeCode(id, code)).status).toBe(401);
    expect((await (await enterAs(home.people.member)).get(buildAuthorizePath(id))).status).toBe(400);
    expect((await readAuditEntries(home)).at(-1)).toMatchObject({
      type: 'app.disconnected',
      actor: null,
      member: home.people.member.member,
      credential_kind: 'service',
      subject_name: 'Report',
    });
    expect(await listApps(session)).toEqual([]);
    expect(await countRows(id)).toBe(0);
    expect((await runForAccount(session, deleteOwnApp, { id })).status).toBe(404);
  });

  it("doesn't affect other apps of the same people", async () => {
    const { home, session, id } = await createUsedApp();
    const other = await obtainToken(await enterAs(home.people.member), await registerApp(session, 'Other'));
    expect((await runForAccount(session, deleteOwnApp, { id })).status).toBe(200);
    expect(await getStatus(other)).toBe(200);
  });

  it('is completed by the cron job if many people use the app', async () => {
    const { session, id, tokens } = await createUsedApp();
    const rows = Array.from({ length: 150 }, (_, no) => `('${id}', 'usr_${no}', 'ws_none', 0)`);
    await env.DIRECTORY.exec(`INSERT INTO oauth_app_people VALUES ${rows.join(', ')}`);
    expect((await runForAccount(session, deleteOwnApp, { id })).status).toBe(200);
    expect(await countRows(id)).toBeGreaterThan(50);
    await runCron('* * * * *');
    await runCron('* * * * *');
    expect(await countRows(id)).toBe(0);
    expect(await Promise.all(tokens.map(getStatus))).toEqual([401, 401]);
  });

  it.each(testedFaults)(
    'either completes or changes nothing if a database batch fails (fault: %s)',
    async (fault) => {
      for (const database of ['DIRECTORY', 'CELL_0', 'CELL_1'] as const) {
        for (let batch = 1; batch <= BATCHES_MAX; batch += BATCH_STEP) {
          const { session, id, tokens } = await createUsedApp();
          const faulty = createFaultyD1(getDatabase(database), failNthBatch(batch, fault));
          const sent = await runForAccount(session, deleteOwnApp, { id }, { [database]: faulty.d1 }).catch(
            () => null,
          );
          await runCron('* * * * *');
          const isDeleted = (await listApps(session)).length === 0;
          if (sent?.status === 200) expect(isDeleted, `${database} ${batch}`).toBe(true);
          const expected = isDeleted ? [401, 401] : [200, 200];
          expect(await Promise.all(tokens.map(getStatus)), `${database} ${batch}`).toEqual(expected);
          if (faulty.failed === 0) break;
        }
      }
    },
  );
});

it("deleting an account deletes its apps, and removes the person from other people's apps", async () => {
  const { owner, session, id, tokens } = await createUsedApp();
  const { people } = await createWorkspace();
  const theirs = await registerApp(await signIn(people.owner.userId), 'Theirs');
  await obtainToken(await enterAs(owner), theirs);
  await setPassword(owner.userId);
  const { status } = await runForAccount(session, deleteAccount, { email: owner.email, password: PASSWORD });
  expect(status).toBe(200);
  await runCron('* * * * *');
  expect(await countRows(id)).toBe(0);
  expect(await Promise.all(tokens.map(getStatus))).toEqual([401, 401]);
  expect(await countRows(theirs)).toBe(1);
});
