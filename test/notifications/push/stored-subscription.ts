import { vi } from 'vitest';
import { findVapidKey } from '../../../src/notifications/push/vapid.ts';
import { env } from '../../support/env.ts';
import type { Person } from '../../support/world.ts';

/** Without numbers that tests of forms would replace as ids. */
const browserKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

const ENDPOINT_START = 'https://fcm.googleapis.com/fcm/send/x';
const realFetch = globalThis.fetch;

/** What the page's script submits to turn on push. */
export async function createSubscriptionFields() {
  const id = crypto.randomUUID().replaceAll('-', '');
  const endpoint = `${ENDPOINT_START}${id}`;
  return { endpoint, ...browserKeys, serverKey: await readServerKey() };
}

/** The public key of this deployment. */
export async function readServerKey(): Promise<string> {
  return (await findVapidKey(env.VAPID_PRIVATE_KEY ?? ''))?.publicKey ?? '';
}

/** Turns on push in all browsers in which the person is signed in, with a push service that accepts every message. */
export async function turnOnPushEverywhere({ userId }: Pick<Person, 'userId'>) {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) =>
    new Request(input as Request, init).url.startsWith(ENDPOINT_START)
      ? new Response(null, { status: 201 })
      : realFetch(input, init),
  );
  const { p256dh, auth, endpoint, serverKey } = await createSubscriptionFields();
  await env.DIRECTORY.prepare(
    `INSERT OR IGNORE INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, server_key, created_at)
      SELECT id_hash, user_id, ?1 || id_hash, ?2, ?3, ?4, 1 FROM browser_sessions WHERE user_id = ?5`,
  )
    .bind(endpoint, p256dh, auth, serverKey, userId)
    .run();
}
