import { findVapidKey } from '../../../src/notifications/push/vapid.ts';
import { env } from '../../support/env.ts';
import type { Person } from '../../support/world.ts';

/** Keys that a browser could have created, without numbers that tests of forms would replace as ids. */
const browserKeys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** What the page's script submits to turn on push. */
export function createSubscriptionFields() {
  const id = crypto.randomUUID().replaceAll('-', '');
  return { endpoint: `https://fcm.googleapis.com/fcm/send/x${id}`, ...browserKeys };
}

/** Turns on push in all browsers in which the person is signed in. */
export async function turnOnPushEverywhere({ userId }: Pick<Person, 'userId'>) {
  const { p256dh, auth, endpoint } = createSubscriptionFields();
  const key = await findVapidKey(env.VAPID_PRIVATE_KEY ?? '');
  await env.DIRECTORY.prepare(
    `INSERT OR IGNORE INTO push_subscriptions (session_hash, user_id, endpoint, p256dh, auth, server_key, created_at)
      SELECT id_hash, user_id, ?1 || id_hash, ?2, ?3, ?4, 1 FROM browser_sessions WHERE user_id = ?5`,
  )
    .bind(endpoint, p256dh, auth, key?.publicKey, userId)
    .run();
}
