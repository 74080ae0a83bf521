import { confirmEmail, requestEmailChange } from '../../../src/accounts/own/change-profile.ts';
import { requestPasswordReset, resetPassword } from '../../../src/accounts/own/password-reset.ts';
import { createSecret, hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { invitePeople } from '../../../src/workspaces/invitations/invite.ts';
import { grantToken } from '../../contract/requests.ts';
import { presignUpload, putBytes } from '../../files/attachments/presigning.ts';
import { openFilledSession } from '../../files/uploads/uploading.ts';
import {
  buildAuthorizePath,
  exchangeCode,
  obtainCode,
  readConsentForm,
  registerClient,
  TestBrowser,
  unescapeHtml,
} from '../../oauth/flow.ts';
import { createForm, createLink } from '../../sharing/share.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, logIn, PASSWORD, readMailedToken } from '../../support/people.ts';
import { pollUntil } from '../../support/timeout.ts';
import { createApiKey, createProject, createTask, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { createBotAndKey } from '../../workspaces/bots/create-bot.ts';

const WEBHOOK_URL = 'https://hooks.example.com/edgework';

async function createVerificationLink({ userId }: Person): Promise<string> {
  const token = createSecret();
  await env.DIRECTORY.prepare(
    'INSERT INTO email_verifications (token_hash, user_id, expires_at, created_at) VALUES (?, ?, ?, ?)',
  )
    .bind(hashSecret(token), userId, Date.now() + 3_600_000, Date.now())
    .run();
  return token;
}

const isSuccessful = async (answer: Promise<{ status: number }>) => (await answer).status === 200;

interface AccessWorld {
  readonly home: World;
  readonly otherWorld: World;
  /** The person in their home workspace, as an admin. */
  readonly me: Person;
  readonly memberInOtherCell: Person;
}

export type AccessChecks = Readonly<Record<string, () => Promise<boolean>>>;

/**
 * Creates every kind of access to the account except session tokens. Returns functions that check whether each kind
 * still works. Some kinds work only once. Checking the link for a new password resets the password, which ends other
 * kinds.
 */
export async function createAccessChecks({ home, otherWorld, me, memberInOtherCell }: AccessWorld) {
  const [key, keyThere] = [await createApiKey(me), await createApiKey(memberInOtherCell)];
  const [app, appThere] = [
    await grantToken(home, me, ['tasks:read']),
    await grantToken(otherWorld, memberInOtherCell, ['tasks:read']),
  ];
  const ofSession = (await api(me.token).post('/webhooks', { url: WEBHOOK_URL })).body.id;
  const ofKey = (await api(key).post('/webhooks', { url: WEBHOOK_URL })).body.id;
  const screens = await WorkspaceBrowser.signIn(home, me);
  await screens.send('/calendar', '/calendar/address');
  const feed = /id="feed"[^>]* value="([^"]+)"/.exec((await screens.open('/calendar')).html)?.[1] ?? '';
  const clientId = await registerClient();
  const code = await obtainCode(screens.browser, clientId);
  const asked = await (await screens.browser.get(buildAuthorizePath(clientId))).text();
  const { webSocket: socket } = await screens.browser.request(`${screens.base}/live`, {
    headers: { Upgrade: 'websocket', Origin: ORIGIN },
  });
  const live = { messages: 0, isClosed: false };
  socket?.addEventListener('message', () => {
    live.messages += 1;
  });
  socket?.addEventListener('close', () => {
    live.isClosed = true;
  });
  socket?.accept();
  const email = createEmailAddress();
  await runForAccount(await signIn(me.userId), requestEmailChange, { email, password: PASSWORD });
  const newEmail = await readMailedToken(email, 'confirm-email');
  await runPublic(requestPasswordReset, { email: me.email });
  const resetLink = await readMailedToken(me.email, 'reset-password');
  const link = await createLink(me, { projectId: home.projects.joined.id });
  const requests = await createProject(home, { name: 'Requests', owner: me });
  const form = await createForm(me, requests.id);
  const { key: botKey } = await createBotAndKey(me);
  const invited = createEmailAddress();
  await runForm(me.token, invitePeople, { email: invited, role: 'member', projectIds: [] });
  const invitation = await readMailedToken(invited, 'invitation');
  const { id: task } = await createTask(me, home.projects.joined.id);
  const session = await openFilledSession(me, { taskId: task });
  const { body: file } = await api(me.token).post(`/chunked-upload/complete/${session}`);
  const download = await api(me.token).get(`/tasks/${task}/attachments/${file.id}/download`);
  const upload = await presignUpload(me, task);
  const verification = await createVerificationLink(me);
  const isActive = async (id: number) => {
    const row = getCell(0).prepare('SELECT status FROM webhooks WHERE id = ?').bind(id);
    return (await row.first<string>('status')) === 'active';
  };
  return {
    'API key': () => isSuccessful(api(key).get('/tasks')),
    'API key in another cell': () => isSuccessful(api(keyThere).get('/tasks')),
    'OAuth token': () => isSuccessful(api(app).get('/tasks')),
    'OAuth token in another cell': () => isSuccessful(api(appThere).get('/tasks')),
    'webhook of a session': () => isActive(ofSession),
    'webhook of a key': async () => (await isActive(ofKey)) && isSuccessful(api(key).get('/tasks')),
    'calendar link': () => isSuccessful(send(new Request(unescapeHtml(feed)))),
    'public link': () => isSuccessful(send(new Request(link.address))),
    'intake form': () => isSuccessful(send(new Request(form.address))),
    'bot key': () => isSuccessful(api(botKey).get('/tasks')),
    'invitation from the person': async () => {
      const page = await send(new Request(`${ORIGIN}/invitation?token=${invitation}`));
      return (await page.text()).includes('Join');
    },
    'signed download URL': () => isSuccessful(send(new Request(download.body.url))),
    'presigned upload URL': async () => (await putBytes(upload.body.uploadUrl, 'hello')) === 200,
    password: () => isSuccessful(logIn(me.email)),
    'another browser': async () => (await screens.open('')).status === 200,
    'socket of another browser': async () => {
      const before = live.messages;
      await createTask(home.people.owner, home.projects.joined.id);
      await pollUntil(() => live.messages > before || live.isClosed);
      return live.messages > before;
    },
    'OAuth request of another browser': async () => {
      const answer = await screens.browser.post('/api/oauth/authorize', readConsentForm(asked));
      return answer.status === 303 && (answer.headers.get('Location') ?? '').includes('code=');
    },
    'OAuth code': () => isSuccessful(exchangeCode(clientId, code)),
    'link for another address': () => isSuccessful(runPublic(confirmEmail, { token: newEmail })),
    'verification link': async () => {
      const browser = new TestBrowser();
      await browser.post('/verify-email', { token: verification });
      return browser.session !== undefined && (await browser.get('/account')).status === 200;
    },
    'link for a new password': () =>
      isSuccessful(runPublic(resetPassword, { token: resetLink, password: PASSWORD })),
  } satisfies AccessChecks;
}
