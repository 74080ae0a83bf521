import { hashPassword } from '../../src/accounts/passwords/passwords.ts';
import { api, ORIGIN, send } from './api.ts';
import { env } from './env.ts';

export const PASSWORD = 'correct horse battery';

export function createEmailAddress(): string {
  return `${crypto.randomUUID().slice(0, 12)}@example.com`;
}

/** Returns a new IPv4 address, so that tests don't share sign-in limits. */
export function createIpAddress(): string {
  const [a, b, c] = crypto.getRandomValues(new Uint8Array(3));
  return `10.${a}.${b}.${c}`;
}

export async function registerAccount(email: string): Promise<string> {
  const answer = await api().post(
    '/auth/register',
    { email, password: PASSWORD, name: 'Ada Test' },
    { 'CF-Connecting-IP': createIpAddress() },
  );
  if (answer.status !== 201) throw new Error(`POST /auth/register returned ${answer.status}: ${answer.text}`);
  return readMailedToken(email);
}

export async function readMailedToken(email: string, page = 'verify-email'): Promise<string> {
  const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ? ORDER BY id DESC')
    .bind(email)
    .first<{ text: string }>();
  const token = new RegExp(`/${page}\\?token=(\\S+)`).exec(mail?.text ?? '')?.[1];
  if (!token) throw new Error(`No mail with a link was queued for ${email}`);
  return token;
}

export function postForm(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return send(
    new Request(`${ORIGIN}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers }),
  );
}

export async function registerAndVerify(email: string): Promise<void> {
  const token = await registerAccount(email);
  const answer = await postForm('/verify-email', { token });
  if (answer.status !== 200) throw new Error(`POST /verify-email returned ${answer.status}`);
}

export function logIn(email: string, password = PASSWORD, ip = createIpAddress()) {
  return api().post('/auth/login', { email, password }, { 'CF-Connecting-IP': ip });
}

export async function setPassword(userId: string): Promise<void> {
  await env.DIRECTORY.prepare('UPDATE users SET password_hash = ? WHERE id = ?')
    .bind(await hashPassword(PASSWORD), userId)
    .run();
}
