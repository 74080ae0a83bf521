import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { newestNotificationId } from '../mail/unmailed.queries.ts';
import { queuePushes } from './push-queue.ts';
import type { PushTask } from './push-task.ts';
import { parsePushTypes } from './push-types.ts';
import { listPushBrowsersOfPeople } from './subscriptions.queries.ts';
import {
  findPushCursor,
  hasUnpushedNotifications,
  listUnpushedNotifications,
  movePushCursor,
} from './unpushed.queries.ts';
import { findVapidKey } from './vapid.ts';

const ROWS_PER_RUN_MAX = 200;
/** Five statements, and the calls that queue 10 browsers of each of 200 people in batches of 100. */
const COLLECTION_COST = 25;

/**
 * Moves the cursor after the queue has accepted the notifications. If a run ends in between, the next one queues them
 * again, but a browser shows a repeated notification only once.
 */
export const collectPush: CellJob = {
  name: 'push.collect',
  cost: COLLECTION_COST,
  isDue: hasUnpushedNotifications,
  async run(scope, cell) {
    const database = scope.cell(cell);
    const key = await findVapidKey(scope.config.vapidPrivateKey);
    if (!key) {
      const [newest] = await database.batch([newestNotificationId]);
      await database.batch([movePushCursor(newest)]);
      return false;
    }
    const [cursor] = await database.batch([findPushCursor()]);
    const after = Number(cursor?.position ?? 0);
    const [rows] = await database.batch([listUnpushedNotifications(after, ROWS_PER_RUN_MAX)]);
    const upto = rows.at(-1)?.id ?? after;
    const browsers = await listBrowsers(scope, key.publicKey, rows);
    const wanted = browsers.filter(({ user_id: userId, types }) => {
      const chosen = parsePushTypes(types);
      return rows.some((row) => row.user_id === userId && chosen.includes(row.type));
    });
    await queuePushes(
      scope,
      wanted.map(({ session_hash: sessionHash }): PushTask => ({ sessionHash, cell, after, upto })),
    );
    await database.batch([movePushCursor(upto)]);
    return rows.length === ROWS_PER_RUN_MAX;
  },
};

async function listBrowsers(
  { directory, now }: RequestScope,
  serverKey: string,
  rows: readonly { readonly user_id: string }[],
) {
  const people = [...new Set(rows.map(({ user_id }) => user_id))];
  if (people.length === 0) return [];
  const [browsers] = await directory.batch([listPushBrowsersOfPeople(people, serverKey, now)]);
  return browsers;
}
