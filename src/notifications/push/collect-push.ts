import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { newestNotificationId } from '../mail/unmailed.queries.ts';
import { queuePushes, SEND_BATCH_MAX } from './push-queue.ts';
import { parsePushTypes } from './push-types.ts';
import { listPushBrowsersOfPeople, type PushBrowser } from './subscriptions.queries.ts';
import {
  findPushCursor,
  hasUnpushedNotifications,
  listUnpushedPeople,
  movePushCursor,
  type UnpushedPerson,
} from './unpushed.queries.ts';
import { findPushKey } from './vapid.ts';

const NOTIFICATIONS_PER_RUN_MAX = 5_000;
const BROWSERS_PER_RUN_MAX = 1_000;
/** Four statements, and the calls that queue the browsers. */
const COLLECTION_COST = 4 + BROWSERS_PER_RUN_MAX / SEND_BATCH_MAX;

/** Moves the cursor after the queue has accepted the notifications. If a run ends in between, the next repeats it. */
export const collectPush: CellJob = {
  name: 'push.collect',
  cost: COLLECTION_COST,
  isDue: hasUnpushedNotifications,
  async run(scope, cell) {
    const database = scope.cell(cell);
    const key = await findPushKey(scope);
    if (!key) {
      const [newest] = await database.batch([newestNotificationId]);
      await database.batch([movePushCursor(newest)]);
      return false;
    }
    const [cursor] = await database.batch([findPushCursor()]);
    const after = Number(cursor?.position ?? 0);
    const [people] = await database.batch([listUnpushedPeople(after, NOTIFICATIONS_PER_RUN_MAX)]);
    const browsers = await listBrowsers(scope, key.publicKey, people);
    const { sessions, upto } = selectSessions(people, browsers, after);
    await queuePushes(
      scope,
      sessions.map((sessionHash) => ({ sessionHash, cell, after, upto })),
    );
    await database.batch([movePushCursor(upto)]);
    const count = people.reduce((sum, person) => sum + person.notifications, 0);
    return count === NOTIFICATIONS_PER_RUN_MAX || people.some(({ last_id }) => last_id > upto);
  },
};

async function listBrowsers(
  { directory, now }: RequestScope,
  serverKey: string,
  people: readonly UnpushedPerson[],
): Promise<readonly PushBrowser[]> {
  const userIds = people.map(({ user_id }) => user_id);
  if (userIds.length === 0) return [];
  const [browsers] = await directory.batch([listPushBrowsersOfPeople(userIds, serverKey, now)]);
  return browsers;
}

/** If there are too many browsers, ends the range before the first notification of the next person. */
function selectSessions(
  people: readonly UnpushedPerson[],
  browsers: readonly PushBrowser[],
  after: number,
): { sessions: readonly string[]; upto: number } {
  const byPerson = Map.groupBy(browsers, ({ user_id }) => user_id);
  const sessions: string[] = [];
  let upto = after;
  for (const { user_id, first_id, last_id, types } of people) {
    const wanting = (byPerson.get(user_id) ?? []).filter((browser) =>
      parsePushTypes(browser.types).some((type) => types.split(',').includes(type)),
    );
    if (sessions.length + wanting.length > BROWSERS_PER_RUN_MAX) return { sessions, upto: first_id - 1 };
    sessions.push(...wanting.map(({ session_hash }) => session_hash));
    upto = Math.max(upto, last_id);
  }
  return { sessions, upto };
}
