import { beforeAll, describe, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { appendSeal } from '../../../src/kernel/secrets/seal.ts';
import { UNSUBSCRIBE_PURPOSE } from '../../../src/notifications/mail/compose.ts';
import { authorizePath, consentForm, hidden, registerClient, TestBrowser } from '../../oauth/flow.ts';
import { send } from '../../support/api.ts';
import { cellOf, env } from '../../support/env.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import { addMember, addPerson, createWorkspace, createWorld, type World } from '../../support/world.ts';
import {
  buildSkeleton,
  expectSameStructure,
  hostileRounds,
  hostileTexts,
  toOneLine,
} from './hostile-pages.ts';
import { Screens } from './screens.ts';

type Show = (text: string) => Promise<Response>;

const visitor = new TestBrowser();
const all = (text: string) => text;
const nothing = () => '';
/** A harmless text that is rejected as a name or email address, like the hostile texts. */
const LONG = 'Plain'.repeat(70);

/** Compares pages with hostile texts to the page with a harmless text. `toShownText` returns the displayed part of a text. */
async function expectText(
  show: Show,
  status: number,
  toShownText: (text: string) => string = all,
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
      cellOf(1)
        .prepare('UPDATE workspaces SET name = ?, version = version + 1 WHERE no IN (?, ?)')
        .bind(name, first.no, second.no)
        .run();
    browser = new TestBrowser();
    await browser.enter(first.people.member);
    clientId = await registerClient();
  });

  const nameApp = (name: string) =>
    env.DIRECTORY.prepare('UPDATE oauth_clients SET name = ? WHERE id = ?').bind(name, clientId).run();

  it("escapes the names of the app and the person's workspaces", async () => {
    await expectText(async (text) => {
      await Promise.all([nameApp(text), nameWorkspaces(text)]);
      return browser.get(authorizePath(clientId));
    }, 200);
    await nameApp('Plain');
    await expectText(async (text) => {
      await nameWorkspaces(text);
      return browser.get(authorizePath(clientId));
    }, 200);
  });

  it('escapes the URLs of the app, even when no scope is selected', async () => {
    await Promise.all([nameApp('Plain'), nameWorkspaces('Plain')]);
    await expectText(async (text) => {
      const form = consentForm(await (await browser.get(authorizePath(clientId))).text());
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
      await expectText((text) => browser.get(authorizePath(clientId, change(text))), 400, nothing);
    }
  });

  it("redirects signed-out people to a sign-in page that escapes the app's name", async () => {
    await expectText(async (text) => {
      await nameApp(text);
      return visitor.get(`/sign-in?next=${encodeURIComponent(authorizePath(clientId))}`);
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
    const owner = await Screens.of(world, world.people.owner);
    await owner.send('/people', '/people/invitations', { email, role: 'member' });
    token = await readMailedToken(email, 'invitation');
    address = `/invitation?token=${encodeURIComponent(token)}`;
  });

  const write = (text: string) => {
    const set = (sql: string) => cellOf(1).prepare(sql).bind(text, world.no);
    return cellOf(1).batch([
      set('UPDATE workspaces SET name = ?, version = version + 1 WHERE no = ?'),
      set('UPDATE members SET name = ?, version = version + 1 WHERE ws = ?'),
      set('UPDATE invitations SET email = ? WHERE ws = ?'),
    ]);
  };

  it('escapes the names of the workspace, the inviter and the invitee', async () => {
    const guest = await addPerson(await createWorkspace({ cell: 1 }), 'guest', 'member');
    const browser = new TestBrowser();
    await browser.enter(guest);
    for (const each of [visitor, browser]) {
      await expectText(async (text) => {
        await write(text);
        const name = env.DIRECTORY.prepare('UPDATE users SET email = ? WHERE id = ?');
        await name.bind(text, guest.userId).run();
        return each.get(address);
      }, 200);
    }
  });

  it('keeps the typed name, and escapes it', async () => {
    await write('Plain');
    const form = hidden(await (await visitor.get(address)).text());
    await expectText(
      (name) => visitor.post('/invitation', { ...form, name, password: 'short' }),
      400,
      toOneLine,
      LONG,
    );
  });

  it('explains an invalid link without repeating its text', async () => {
    await expectText((text) => visitor.get(`/invitation?token=${encodeURIComponent(text)}`), 404, nothing);
  });
});

describe('public pages', () => {
  it.each([
    ['/sign-in', { password: '' }, ['email']],
    ['/sign-up', { password: 'short' }, ['name', 'email']],
    ['/forgot-password', {}, ['email']],
  ])('like %s keep and escape typed values', async (path, fields: Record<string, string>, names) => {
    const form = hidden(await (await visitor.get(path)).text(), path);
    await expectText(
      (text) => {
        const typed = Object.fromEntries(names.map((name) => [name, text]));
        return visitor.post(path, { ...form, ...fields, ...typed });
      },
      400,
      toOneLine,
      LONG,
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
  ])('like %s escape their URL parameters', async (path, status) => {
    const filled = (text: string) => path.replace('TEXT', () => encodeURIComponent(text.toWellFormed()));
    await expectText((text) => visitor.get(filled(text)), status, nothing);
  });

  it('like /unsubscribe ignore every parameter except the token', async () => {
    const { people } = await createWorkspace();
    const token = appendSeal(parseEnv(env as Env).sessionSecret, UNSUBSCRIBE_PURPOSE, people.member.userId);
    const address = (text: string) =>
      `/unsubscribe?token=${encodeURIComponent(token)}&x=${encodeURIComponent(text)}`;
    await expectText((text) => visitor.get(address(text.toWellFormed())), 200, nothing);
    await expectText((text) => visitor.post(address(text.toWellFormed()), {}), 200, nothing);
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
