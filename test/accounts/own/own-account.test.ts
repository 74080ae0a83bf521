// This file is long because its tests share the functions that read emailed links, and an account with memberships in
// two cells.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  listBrowsers,
  signOutBrowserById,
  signOutOtherBrowsers,
} from '../../../src/accounts/own/browsers.ts';
import {
  changeName,
  changePassword,
  confirmEmail,
  getProfile,
  requestEmailChange,
} from '../../../src/accounts/own/change-profile.ts';
import { createWorkspace } from '../../../src/accounts/own/create-workspace.ts';
import {
  checkPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '../../../src/accounts/own/password-reset.ts';
import { removePicture, setPicture } from '../../../src/accounts/own/picture.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import {
  BATCH_STEP,
  BATCHES_MAX,
  createFaultyD1,
  failNthBatch,
  testedFaults,
} from '../../suites/faults/faulty-d1.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { api, meteredEnv, ORIGIN, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createEmailAddress, logIn, PASSWORD, registerAccount, setPassword } from '../../support/people.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { addMember, createWorkspace as insertWorkspace, type Person } from '../../support/world.ts';

const getDatabase = (name: string) =>
  (meteredEnv as unknown as Record<string, D1Database>)[name] as D1Database;

const NEW_PASSWORD = 'another right password';

let me: Person;
let memberInOtherCell: Person;

beforeEach(async () => {
  const home = await insertWorkspace({ cell: 0 });
  const abroad = await insertWorkspace({ cell: 1, members: { boss: 'owner' } });
  me = home.people.member;
  memberInOtherCell = await addMember(abroad, me, 'lead');
  await setPassword(me.userId);
});

async function readEmail(email: string): Promise<string> {
  const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ? ORDER BY id DESC')
    .bind(email)
    .first<{ text: string }>();
  return mail?.text ?? '';
}
const readToken = (text: string) => /token=(\S+)/.exec(text)?.[1] ?? '';
const countSessions = (userId: string) =>
  env.DIRECTORY.prepare('SELECT count(*) AS n FROM browser_sessions WHERE user_id = ?')
    .bind(userId)
    .first('n');

describe('a password reset', () => {
  it('works once per link and signs out every browser', async () => {
    await signIn(me.userId);
    await signIn(me.userId);
    await runPublic(requestPasswordReset, { email: me.email.toUpperCase() });
    const token = readToken(await readEmail(me.email));
    expect((await runPublic(checkPasswordReset, { token })).status).toBe(200);
    const both = await Promise.all(
      [1, 2].map(() => runPublic(resetPassword, { token, password: NEW_PASSWORD })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await countSessions(me.userId)).toBe(0);
    expect((await logIn(me.email)).status).toBe(401);
    expect((await logIn(me.email, NEW_PASSWORD)).status).toBe(200);
    expect((await runPublic(checkPasswordReset, { token })).status).toBe(404);
  });

  it('can be requested for an unknown address with the same response, but no email is sent', async () => {
    const stranger = createEmailAddress();
    const known = await runPublic(requestPasswordReset, { email: me.email });
    const unknown = await runPublic(requestPasswordReset, { email: stranger });
    expect(unknown).toEqual(known);
    expect(await readEmail(stranger)).toBe('');
  });

  it('can be completed for up to an hour after the request', async () => {
    await runPublic(requestPasswordReset, { email: me.email });
    const token = readToken(await readEmail(me.email));
    const row = await env.DIRECTORY.prepare(
      'SELECT created_at, expires_at FROM account_links WHERE user_id = ?',
    )
      .bind(me.userId)
      .first<{ created_at: number; expires_at: number }>();
    expect(Number(row?.expires_at) - Number(row?.created_at)).toBe(3_600_000);
    await env.DIRECTORY.prepare('UPDATE account_links SET expires_at = ?').bind(Date.now()).run();
    expect((await runPublic(resetPassword, { token, password: NEW_PASSWORD })).status).toBe(404);
    await runCron('* * * * *');
    expect(await env.DIRECTORY.prepare('SELECT count(*) AS n FROM account_links').first('n')).toBe(0);
    expect((await logIn(me.email)).status).toBe(200);
  });

  it('verifies an unverified account, because its owner received the email', async () => {
    const email = createEmailAddress();
    await registerAccount(email);
    await runPublic(requestPasswordReset, { email });
    const token = readToken(await readEmail(email));
    expect((await runPublic(resetPassword, { token, password: NEW_PASSWORD })).status).toBe(200);
    expect((await logIn(email, NEW_PASSWORD)).body.user).toMatchObject({ role: 'owner' });
  });

  it('can be requested repeatedly with the same response, but at most five emails are sent per hour', async () => {
    const answers = [];
    for (let asked = 0; asked < 7; asked += 1)
      answers.push(await runPublic(requestPasswordReset, { email: me.email }));
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1);
    const emails = await env.DIRECTORY.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?')
      .bind(me.email)
      .first('n');
    expect(emails).toBe(5);
  });
});

it("a person's new name appears in every workspace that they still belong to", async () => {
  const left = await insertWorkspace({ cell: 1, members: { boss: 'owner' } });
  const former = await addMember(left, me, 'member');
  await getCell(1).prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(former.member).run();
  const browser = await signIn(me.userId);
  expect((await runForAccount(browser, changeName, { name: 'New Name' })).status).toBe(200);
  for (const { token } of [me, memberInOtherCell])
    expect((await api(token).get('/me')).body.name).toBe('New Name');
  const old = await getCell(1)
    .prepare('SELECT name FROM members WHERE no = ?')
    .bind(former.member)
    .first('name');
  expect(old).toBe(me.name);
  expect((await runForAccount(browser, getProfile, {})).body).toMatchObject({
    name: 'New Name',
    hasPassword: true,
  });
  expect((await runForAccount(browser, changeName, { name: ' ' })).status).toBe(400);
});

it.each(testedFaults)(
  "a person's new name eventually reaches every cell, even if a database batch fails (fault: %s)",
  async (fault) => {
    let injected = 0;
    for (const database of ['DIRECTORY', 'CELL_0', 'CELL_1'] as const) {
      for (let batch = 1; batch <= BATCHES_MAX; batch += BATCH_STEP) {
        const name = `${fault} ${database} ${batch}`;
        const faulty = createFaultyD1(getDatabase(database), failNthBatch(batch, fault));
        const browser = await signIn(me.userId);
        const answer = await runForAccount(browser, changeName, { name }, { [database]: faulty.d1 }).catch(
          () => null,
        );
        await runCron('* * * * *');
        const stored = await env.DIRECTORY.prepare('SELECT name FROM users WHERE id = ?')
          .bind(me.userId)
          .first('name');
        if (answer?.status === 200) expect(stored).toBe(name);
        for (const { token } of [me, memberInOtherCell])
          expect((await api(token).get('/me')).body.name, name).toBe(stored);
        if (faulty.failed === 0) break;
        injected += 1;
      }
    }
    expect(injected * BATCH_STEP).toBeGreaterThanOrEqual(8);
    const unsettled = await env.DIRECTORY.prepare(
      'SELECT count(*) AS n FROM users WHERE is_settled = 0',
    ).first('n');
    expect(unsettled).toBe(0);
  },
);

describe('a password', () => {
  it('can be changed with the current password, and the change signs out all other browsers', async () => {
    const [browser, other] = [await signIn(me.userId), await signIn(me.userId)];
    const before = await readAllContents(['browser_sessions']);
    for (const password of ['wrong password', undefined]) {
      expect(
        (await runForAccount(browser, changePassword, { password, newPassword: NEW_PASSWORD })).status,
      ).toBe(400);
    }
    expect(await readAllContents(['browser_sessions'])).toEqual(before);
    const changed = await runForAccount(browser, changePassword, {
      password: PASSWORD,
      newPassword: NEW_PASSWORD,
    });
    expect(changed.status).toBe(200);
    expect((await runForAccount(other, getProfile, {})).status).toBe(401);
    expect((await runForAccount(browser, getProfile, {})).status).toBe(200);
    expect((await logIn(me.email, NEW_PASSWORD)).status).toBe(200);
  });

  it('can be set without a current password on an account that has no password', async () => {
    await env.DIRECTORY.prepare('UPDATE users SET password_hash = NULL WHERE id = ?').bind(me.userId).run();
    const browser = await signIn(me.userId);
    expect((await runForAccount(browser, changePassword, { newPassword: NEW_PASSWORD })).status).toBe(200);
    expect((await logIn(me.email, NEW_PASSWORD)).status).toBe(200);
  });

  it("can't be guessed by repeatedly trying to change it", async () => {
    const browser = await signIn(me.userId);
    const submitWrongPassword = () =>
      runForAccount(browser, changePassword, { password: 'wrong password', newPassword: NEW_PASSWORD });
    let status = 400;
    for (let tries = 0; tries < 25 && status === 400; tries += 1)
      status = (await submitWrongPassword()).status;
    expect(status).toBe(429);
  });
});

describe('an email address change', () => {
  it('takes effect once the new address is confirmed, and the old address is notified', async () => {
    const email = createEmailAddress();
    const browser = await signIn(me.userId);
    expect((await runForAccount(browser, requestEmailChange, { email, password: PASSWORD })).status).toBe(
      200,
    );
    expect((await api(me.token).get('/me')).body.email).toBe(me.email);
    const token = readToken(await readEmail(email));
    expect((await runPublic(confirmEmail, { token })).status).toBe(200);
    for (const person of [me, memberInOtherCell])
      expect((await api(person.token).get('/me')).body.email).toBe(email);
    expect(await readEmail(me.email)).toContain('a different email address');
    expect((await logIn(me.email)).status).toBe(401);
    expect((await logIn(email)).status).toBe(200);
    expect((await runPublic(confirmEmail, { token })).status).toBe(404);
  });

  it('requires the password, and a new address that no other account uses', async () => {
    const browser = await signIn(me.userId);
    const other = (await insertWorkspace()).people.member;
    const requestChange = (email: string, password = PASSWORD) =>
      runForAccount(browser, requestEmailChange, { email, password });
    expect((await requestChange(other.email)).status).toBe(400);
    expect((await requestChange(createEmailAddress(), 'wrong password')).status).toBe(400);
    const email = createEmailAddress();
    expect((await requestChange(email)).status).toBe(200);
    const token = readToken(await readEmail(email));
    await registerAccount(email);
    expect((await runPublic(confirmEmail, { token })).status).toBe(404);
    expect((await api(me.token).get('/me')).body.email).toBe(me.email);
  });

  it('invalidates earlier password reset links', async () => {
    await runPublic(requestPasswordReset, { email: me.email });
    const reset = readToken(await readEmail(me.email));
    const email = createEmailAddress();
    await runForAccount(await signIn(me.userId), requestEmailChange, { email, password: PASSWORD });
    await runPublic(confirmEmail, { token: readToken(await readEmail(email)) });
    expect((await runPublic(resetPassword, { token: reset, password: NEW_PASSWORD })).status).toBe(404);
  });
});

it.each([
  [
    'changed',
    async () =>
      runForAccount(await signIn(me.userId), changePassword, {
        password: PASSWORD,
        newPassword: NEW_PASSWORD,
      }),
  ],
  [
    'reset with an emailed link',
    async () => {
      await runPublic(requestPasswordReset, { email: me.email });
      const token = readToken(await readEmail(me.email));
      return runPublic(resetPassword, { token, password: NEW_PASSWORD });
    },
  ],
])(
  'a link that confirms a new email address stops working once the password is %s',
  async (_how, replacePassword) => {
    const email = createEmailAddress();
    await runForAccount(await signIn(me.userId), requestEmailChange, { email, password: PASSWORD });
    expect((await replacePassword()).status).toBe(200);
    expect((await runPublic(confirmEmail, { token: readToken(await readEmail(email)) })).status).toBe(404);
    expect((await logIn(me.email, NEW_PASSWORD)).status).toBe(200);
  },
);

describe('a profile picture', () => {
  const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
  const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1]);
  const webp = new Uint8Array([...'RIFF....WEBPVP8 '].map((letter) => letter.charCodeAt(0)));
  const countPictures = async () => (await env.FILES.list({ prefix: 'people/' })).objects.length;

  it('is accepted only if it is a PNG, JPEG or WebP of at most 2 MB', async () => {
    const browser = await signIn(me.userId);
    for (const bytes of [png, jpeg, webp]) {
      expect((await runForAccount(browser, setPicture, { bytes })).status).toBe(200);
      const { image } = (await api(memberInOtherCell.token).get('/me')).body;
      expect(image).toMatch(/\/pictures\/[\w-]{27}$/);
      const served = await send(new Request(image));
      expect([
        served.status,
        served.headers.get('Content-Type'),
        new Uint8Array(await served.arrayBuffer()),
      ]).toEqual([200, expect.stringMatching(/^image\//), bytes]);
      expect(served.headers.get('Content-Security-Policy')).toContain('sandbox');
      expect(served.headers.get('X-Content-Type-Options')).toBe('nosniff');
    }
    for (const id of ['x', 'A'.repeat(27), '../secret']) {
      expect((await send(new Request(`${ORIGIN}/pictures/${id}`))).status).toBe(404);
    }
    const before = await readAllContents();
    const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const large = new Uint8Array(2 * 1024 * 1024 + 1);
    large.set(png);
    for (const bytes of [svg, new Uint8Array(), new TextEncoder().encode('RIFF'), large]) {
      expect((await runForAccount(browser, setPicture, { bytes })).status).toBe(400);
    }
    expect(await readAllContents()).toEqual(before);
  });

  it('is deleted from storage if it was replaced, removed or never used', async () => {
    const browser = await signIn(me.userId);
    const had = await countPictures();
    await runForAccount(browser, setPicture, { bytes: png });
    await runForAccount(browser, setPicture, { bytes: jpeg });
    const failing = createFaultyD1(meteredEnv.DIRECTORY, failNthBatch(2, 'lost before it runs'));
    await runForAccount(browser, setPicture, { bytes: webp }, { DIRECTORY: failing.d1 }).catch(() => null);
    await env.DIRECTORY.prepare('UPDATE pictures SET created_at = 1').run();
    await runCron('* * * * *');
    const { image } = (await api(me.token).get('/me')).body;
    expect(image).not.toBeNull();
    expect(await countPictures()).toBeLessThanOrEqual(had + 1);
    expect((await runForAccount(browser, removePicture, {})).status).toBe(200);
    expect((await api(me.token).get('/me')).body.image).toBeNull();
    await runCron('* * * * *');
    expect(
      await env.DIRECTORY.prepare('SELECT count(*) AS n FROM pictures WHERE user_id = ?')
        .bind(me.userId)
        .first('n'),
    ).toBe(0);
  });
});

it('a person can list their browsers, and immediately sign out one or all of the others', async () => {
  const [browser, second, third] = [
    await signIn(me.userId),
    await signIn(me.userId),
    await signIn(me.userId),
  ];
  const stranger = await signIn((await insertWorkspace()).people.member.userId);
  const { browsers } = (await runForAccount(browser, listBrowsers, {})).body;
  expect(browsers).toHaveLength(3);
  expect(browsers.filter((each: { isThisOne: boolean }) => each.isThisOne)).toHaveLength(1);
  for (const each of browsers) expect(each.id.length).toBeLessThan(browser.session.length / 2);
  const other = second.session.slice(0, 16);
  expect((await runForAccount(stranger, signOutBrowserById, { id: other })).status).toBe(404);
  expect((await runForAccount(browser, signOutBrowserById, { id: other })).status).toBe(200);
  expect((await runForAccount(second, getProfile, {})).status).toBe(401);
  expect((await runForAccount(browser, signOutOtherBrowsers, {})).status).toBe(200);
  expect((await runForAccount(third, getProfile, {})).status).toBe(401);
  expect((await runForAccount(browser, getProfile, {})).status).toBe(200);
  expect((await runForAccount(stranger, getProfile, {})).status).toBe(200);
});

describe('an additional workspace', () => {
  it("is owned by its creator and has the deployment's default plan", async () => {
    const browser = await signIn(me.userId);
    const made = await runForAccount(browser, createWorkspace, { name: 'Second' }, { DEFAULT_PLAN: 'pro' });
    const listed = (await api(me.token).get('/workspaces')).body.data;
    expect(listed.find(({ id }: { id: string }) => id === made.body.workspaceId)).toMatchObject({
      name: 'Second',
      plan: 'pro',
      role: 'owner',
    });
    expect((await runForAccount(browser, createWorkspace, { name: ' ' })).status).toBe(400);
    expect(await findInconsistencies()).toEqual([]);
  });

  it.each(testedFaults)(
    'is created completely or not at all if a database batch fails (fault: %s)',
    async (fault) => {
      let injected = 0;
      for (const database of ['DIRECTORY', 'CELL_0', 'CELL_1'] as const) {
        for (let batch = 1; batch <= BATCHES_MAX; batch += BATCH_STEP) {
          const faulty = createFaultyD1(getDatabase(database), failNthBatch(batch, fault));
          const browser = await signIn(me.userId);
          const name = `${database} ${batch}`;
          const answer = await runForAccount(
            browser,
            createWorkspace,
            { name },
            { [database]: faulty.d1 },
          ).catch(() => null);
          await runCron('* * * * *');
          expect(await findInconsistencies(), name).toEqual([]);
          const listed = (await api(me.token).get('/workspaces?limit=100')).body.data;
          const isThere = listed.some((each: { name: string }) => each.name === name);
          if (answer?.status === 200) expect(isThere).toBe(true);
          if (faulty.failed === 0) break;
          injected += 1;
        }
      }
      expect(injected * BATCH_STEP).toBeGreaterThanOrEqual(6);
    },
  );
});
