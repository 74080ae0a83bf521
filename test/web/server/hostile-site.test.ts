import { beforeAll, describe, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { appendSeal } from '../../../src/kernel/secrets/seal.ts';
import { UNSUBSCRIBE_PURPOSE } from '../../../src/notifications/mail/compose-mail.ts';
import {
  buildAuthorizePath,
  readConsentForm,
  readFormFields,
  registerClient,
  TestBrowser,
} from '../../oauth/flow.ts';
import { send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import { addMember, addPerson, createWorkspace, createWorld, type World } from '../../support/world.ts';
import {
  buildSkeleton,
  expectSameStructure,
  hostileRounds,
  hostileTexts,
  joinLines,
} from './hostile-pages.ts';
import { WorkspaceBrowser } from './workspace-browser.ts';

type ShowText = (text: string) => Promise<Response>;

const visitor = new TestBrowser();
const keepText = (text: string) => text;
const omitText = () => '';
/** Harmless text that, like the hostile text, is rejected as a name or email address. */
const LONG_NAME = 'Plain'.repeat(70);

/**
 * Asserts that a page has the same structure with hostile text as with the text `word`. `toShownText` returns the part
 * of the text that the page displays.
 */
async function expectText(
  show: ShowText,
  status: number,
  toShownText: (text: string) => string = keepText,
  word = 'Plain',
) {
  const read = async (text: string) => {
    const answer = await show(text);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    return answer.text();
  };
  const plain = await read(word);
  const harmless = buildSkeleton(plain);
  expect(harmless.readable).toContain(toShownText(word));
  for (const text of hostileRounds)
    expectSameStructure(await read(text), harmless, JSON.stringify(text), toShownText(text));
}

describe('the consent page', () => {
  let browser: TestBrowser;
  let clientId: string;
  let nameWorkspaces: (name: string) => Promise<unknown>;

  beforeAll(async () => {
    const [first, second] = [await createWorkspace({ cell: 1 }), await createWorkspace({ cell: 1 })];
    await addMember(second, first.people.member, 'member');
    nameWorkspaces = (name) =>
      getCell(1)
        .prepare('UPDATE workspaces SET name = ?, version = version + 1 WHERE no IN (?, ?)')
        .bind(name, first.no, second.no)
        .run();
    browser = new TestBrowser();
    await browser.signInAs(first.people.member);
    clientId = await registerClient();
  });

  const renameApp = (name: string) =>
    env.DIRECTORY.prepare('UPDATE oauth_clients SET name = ? WHERE id = ?').bind(name, clientId).run();

  it("escapes the names of the app and the person's workspaces", async () => {
    await expectText(async (text) => {
      await Promise.all([renameApp(text), nameWorkspaces(text)]);
      return browser.get(buildAuthorizePath(clientId));
    }, 200);
    await renameApp('Plain');
    await expectText(async (text) => {
      await nameWorkspaces(text);
      return browser.get(buildAuthorizePath(clientId));
    }, 200);
  });

  it("escapes the app's URLs when its form is rejected and shown again", async () => {
    await Promise.all([renameApp('Plain'), nameWorkspaces('Plain')]);
    await expectText(async (text) => {
      const form = readConsentForm(await (await browser.get(buildAuthorizePath(clientId))).text());
      await env.DIRECTORY.prepare(
        "UPDATE oauth_requests SET client_name = ?1, client_id = 'https://' || ?1, redirect_uri = 'https://app.example/' || ?1 WHERE client_id = ?2",
      )
        .bind(text, clientId)
        .run();
      form.set('workspace', text);
      return browser.post('/api/oauth/authorize', form);
    }, 400);
  });

  it('explains an invalid request and escapes its input', async () => {
    for (const name of ['client_id', 'redirect_uri', 'response_type', 'scope', 'resource']) {
      const change = (text: string) => ({
        ...(name !== 'redirect_uri' && { redirect_uri: 'x' }),
        [name]: text,
      });
      await expectText((text) => browser.get(buildAuthorizePath(clientId, change(text))), 400, omitText);
    }
  });

  it("shows signed-out people a sign-in page that escapes the app's name", async () => {
    await expectText(async (text) => {
      await renameApp(text);
      return visitor.get(`/sign-in?next=${encodeURIComponent(buildAuthorizePath(clientId))}`);
    }, 200);
  });
});

describe('the invitation page', () => {
  let world: World;
  let email: string;
  let token: string;
  let address: string;

  beforeAll(async () => {
    world = await createWorld({ cell: 1 });
    email = createEmailAddress();
    const owner = await WorkspaceBrowser.signIn(world, world.people.owner);
    await owner.send('/people', '/people/invitations', { email, role: 'member' });
    token = await readMailedToken(email, 'invitation');
    address = `/invitation?token=${encodeURIComponent(token)}`;
  });

  const write = (text: string) => {
    const set = (sql: string) => getCell(1).prepare(sql).bind(text, world.no);
    return getCell(1).batch([
      set('UPDATE workspaces SET name = ?, version = version + 1 WHERE no = ?'),
      set('UPDATE members SET name = ?, version = version + 1 WHERE ws = ?'),
      set('UPDATE invitations SET email = ? WHERE ws = ?'),
    ]);
  };

  it('escapes the names of the workspace and the inviter, and the email addresses of the invitee and the signed-in person', async () => {
    const guest = await addPerson(await createWorkspace({ cell: 1 }), 'guest', 'member');
    const browser = new TestBrowser();
    await browser.signInAs(guest);
    for (const each of [visitor, browser]) {
      await expectText(async (text) => {
        await write(text);
        const setEmail = env.DIRECTORY.prepare('UPDATE users SET email = ? WHERE id = ?');
        await setEmail.bind(text, guest.userId).run();
        return each.get(address);
      }, 200);
    }
  });

  it('keeps the typed name, and escapes it', async () => {
    await write('Plain');
    const form = readFormFields(await (await visitor.get(address)).text());
    await expectText(
      (name) => visitor.post('/invitation', { ...form, name, password: 'short' }),
      400,
      joinLines,
      LONG_NAME,
    );
  });

  it('explains an invalid link without repeating its text', async () => {
    await expectText((text) => visitor.get(`/invitation?token=${encodeURIComponent(text)}`), 404, omitText);
  });
});

describe('a public page', () => {
  it.each([
    ['/sign-in', { password: '' }, ['email']],
    ['/sign-up', { password: 'short' }, ['name', 'email']],
    ['/forgot-password', {}, ['email']],
  ])('keeps and escapes typed values (%s)', async (path, fields: Record<string, string>, names) => {
    const form = readFormFields(await (await visitor.get(path)).text(), path);
    await expectText(
      (text) => {
        const typed = Object.fromEntries(names.map((name) => [name, text]));
        return visitor.post(path, { ...form, ...fields, ...typed });
      },
      400,
      joinLines,
      LONG_NAME,
    );
  });

  it.each([
    ['/unsubscribe?token=TEXT', 400],
    ['/verify-email?token=TEXT', 400],
    ['/reset-password?token=TEXT', 404],
    ['/confirm-email?token=TEXT', 200],
    ['/sign-up?next=TEXT', 200],
    ['/sign-in?next=TEXT', 200],
    ['/nowhere/TEXT', 404],
  ])('escapes its URL parameters (%s)', async (path, status) => {
    const fillPath = (text: string) => path.replace('TEXT', () => encodeURIComponent(text.toWellFormed()));
    await expectText((text) => visitor.get(fillPath(text)), status, omitText);
  });

  it('ignores every parameter except the token (/unsubscribe)', async () => {
    const { people } = await createWorkspace();
    const token = appendSeal(parseEnv(env as Env).sessionSecret, UNSUBSCRIBE_PURPOSE, people.member.userId);
    const buildUnsubscribeUrl = (text: string) =>
      `/unsubscribe?token=${encodeURIComponent(token)}&x=${encodeURIComponent(text)}`;
    await expectText((text) => visitor.get(buildUnsubscribeUrl(text.toWellFormed())), 200, omitText);
    await expectText((text) => visitor.post(buildUnsubscribeUrl(text.toWellFormed()), {}), 200, omitText);
  });
});

describe('the emails in the development outbox', () => {
  const show = () => {
    const headers = { Accept: 'text/html' };
    return send(new Request('http://localhost/dev/outbox', { headers }), { ENVIRONMENT: 'local' });
  };

  it('are escaped, and their URLs are links', async () => {
    await env.DIRECTORY.prepare(
      "INSERT INTO outbox (recipient, subject, text, html, created_at) VALUES ('shown', 'x', 'x', 'x', 4e12)",
    ).run();
    const read = async (text: string) => {
      await env.DIRECTORY.prepare(
        "UPDATE outbox SET subject = ?1, text = ?1 || ?2, html = ?1 WHERE recipient = 'shown'",
      )
        .bind(text, ' https://edgework.test/x?token=y')
        .run();
      const answer = await show();
      expect(answer.status).toBe(200);
      return answer.text();
    };
    for (const text of hostileTexts) {
      // The harmless text contains the same URLs.
      const plain = (text.match(/https?:\/\/\S+/g) ?? []).join(' ');
      expectSameStructure(await read(text), buildSkeleton(await read(plain)), JSON.stringify(text), text);
    }
  });
});
