// This file is long because the API and the inbox share the code that finds and returns notifications.
import * as z from 'zod';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { boundedCount } from '../../kernel/lists/bounded-count.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay, toTimestamp } from '../../kernel/operation/schema.ts';
import {
  deleteUndoneRemoval,
  findRemoval,
  type Removal,
  saveRemoval,
} from '../../kernel/removals/removals.queries.ts';
import { cannotRestoreError } from '../../kernel/removals/undo-window.ts';
import type { BatchDatabase } from '../../kernel/sql/database.ts';
import { type TaskStatus, taskStatuses } from '../../tasks/model/tasks.schema.ts';
import { getWritableCell, listCallerCells, queryCallerCells } from './caller-cells.ts';
import { formatPositions, parsePositions } from './cursor-positions.ts';
import { readLongComments } from './long-comments.ts';
import { mergeNewestFirst } from './merge-newest-first.ts';
import * as queries from './notifications.queries.ts';
import {
  notification,
  notificationKeyInput,
  notificationKinds,
  readAllResult,
  unreadCount,
} from './notifications.schema.ts';
import { fromPublicId, toPublicId } from './public-id.ts';

const listInput = z.strictObject({
  ...pageInput,
  unreadOnly: z
    .boolean()
    .default(false)
    .meta({ description: 'Set to true to list only unread notifications.' }),
  kinds: notificationKinds,
});

export const listNotifications = defineOperation(
  {
    name: 'listNotifications',
    summary: 'List your notifications, newest first',
    description: "Includes notifications from all your workspaces, not only the credential's workspace.",
    access: 'notifications:read',
    capability: 'manageOwn',
    effect: 'read',
    input: listInput,
    output: buildPageSchema(notification).meta({ id: 'NotificationPage' }),
  },
  async (ctx, input) => {
    const { page } = await readPage(ctx, input, (userId, filter) => {
      const statement = queries.countNotifications(userId, filter);
      return { ...statement, read: (rows) => ({ count: statement.read(rows), isAll: true }) };
    });
    return page;
  },
);

/** Used by the web app. If `isCounted` is false, there are more notifications than `meta.total`. */
export const listInbox = defineOperation(
  {
    name: 'listInbox',
    summary: 'List your notifications of all types, newest first',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: listInput.omit({ kinds: true }),
    output: buildPageSchema(notification).extend({ isCounted: z.boolean() }),
  },
  async (ctx, input) => {
    const { page, isCounted } = await readPage(
      ctx,
      { ...input, kinds: ['all'] },
      queries.countInboxNotifications,
    );
    return { ...page.body, isCounted };
  },
);

async function readPage(
  ctx: Context,
  input: z.output<typeof listInput>,
  count: typeof queries.countInboxNotifications,
) {
  const { userId } = ctx.caller;
  const range = toRange(input, 1);
  const positions = parsePositions(range.after);
  const isSplit = listCallerCells(ctx.caller).length > 1;
  // Reads up to `offset + limit` items from each cell, because a single cell may contain all of them.
  const wanted = isSplit ? { ...range, limit: range.offset + range.limit, offset: 0 } : range;
  const cells = await queryCallerCells(ctx, async (db, cell) => {
    const below = positions.get(cell);
    const after = below === undefined ? null : [below];
    const [found, total] = await db.batch([
      queries.listNotifications(userId, { ...wanted, after }, input),
      count(userId, input),
    ]);
    return { found: found.map((row) => ({ ...row, id: toPublicId(row.id, cell) })), ...total };
  });
  const merged = mergeNewestFirst(cells.map(({ found }) => found));
  const rows = isSplit ? merged.slice(range.offset, range.offset + range.limit + 1) : merged;
  const long = await readLongComments(ctx, rows);
  const page = buildPage({
    range,
    total: sum(cells.map(({ count }) => count)),
    rows,
    key: (last) => [formatPositions(positions, merged.slice(0, merged.indexOf(last) + 1))],
    show: (row) => toNotification(long.get(row.id) ?? row),
  });
  return { page, isCounted: cells.every(({ isAll }) => isAll) };
}

export const countUnreadNotifications = defineOperation(
  {
    name: 'countUnreadNotifications',
    summary: 'Count your unread notifications',
    description: "Counts the notifications from all your workspaces, not only the credential's workspace.",
    access: 'notifications:read',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({ kinds: notificationKinds }),
    output: unreadCount,
  },
  async (ctx, { kinds }) => {
    const counts = await queryCallerCells(ctx, async (db) => {
      const [unread] = await db.batch([
        queries.countNotifications(ctx.caller.userId, { unreadOnly: true, kinds }),
      ]);
      return unread;
    });
    return { count: sum(counts) };
  },
);

export const countUnreadInInbox = defineOperation(
  {
    name: 'countUnreadInInbox',
    summary: 'Count your unread notifications of all types',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: boundedCount,
  },
  async (ctx) => {
    const counts = await queryCallerCells(ctx, async (db) => {
      const [unread] = await db.batch([
        queries.countInboxNotifications(ctx.caller.userId, { unreadOnly: true }),
      ]);
      return unread;
    });
    return { count: sum(counts.map(({ count }) => count)), isAll: counts.every(({ isAll }) => isAll) };
  },
);

export const markNotificationRead = defineOperation(
  {
    name: 'markNotificationRead',
    summary: 'Mark a notification as read',
    description: "You can repeat this safely: `readAt` doesn't change.",
    access: 'notifications:write',
    capability: 'manageOwn',
    effect: 'write',
    input: notificationKeyInput,
    output: notification,
  },
  async (ctx, { id }) => {
    const { db, local } = await locateNotification(ctx, id);
    const { userId } = ctx.caller;
    await requireNotification(ctx, db, { id, local });
    const [, , found] = await db.batch([
      ...queries.markRead(userId, local, ctx.now),
      queries.getNotification(userId, local),
    ]);
    if (!found) throw notificationNotFoundError(id);
    return toNotification({ ...found, id });
  },
);

export const markAllNotificationsRead = defineOperation(
  {
    name: 'markAllNotificationsRead',
    summary: 'Mark all your notifications as read',
    description: 'Marks the notifications from all your workspaces, and returns how many were marked.',
    access: 'notifications:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ kinds: notificationKinds }),
    output: readAllResult,
  },
  async (ctx, { kinds }) => {
    const { caller, db, now, request } = ctx;
    const statements = queries.markAllRead(caller.userId, now, kinds);
    // The caller's own cell comes first, because it rejects a revoked credential before other cells change.
    const [, own] = await db.batch(statements);
    const others = listCallerCells(caller).filter((cell) => cell !== caller.cell);
    const updated = await Promise.all(
      others.map(async (cell) => (await request.cell(cell).batch(statements))[1]),
    );
    return { updated: own + sum(updated) };
  },
);

export const deleteNotification = defineOperation(
  {
    name: 'deleteNotification',
    summary: 'Delete a notification',
    description: "Returns 404 for another person's notification.",
    access: 'notifications:write',
    capability: 'manageOwn',
    effect: 'write',
    input: notificationKeyInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { db, local } = await locateNotification(ctx, id);
    await requireNotification(ctx, db, { id, local });
    const { userId } = ctx.caller;
    const [, , deleted] = await db.batch([
      saveRemoval(buildRemoval(ctx, local), queries.selectNotificationAsJson(userId, local), ctx.now),
      ...queries.deleteNotification(userId, local),
    ]);
    if (!deleted) throw notificationNotFoundError(id);
    return { success: true as const };
  },
);

export const restoreNotification = defineOperation(
  {
    name: 'restoreNotification',
    summary: 'Restore a deleted notification',
    description: 'You can restore a notification for 10 minutes after you delete it.',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: notificationKeyInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { db, local } = await locateNotification(ctx, id);
    const removal = buildRemoval(ctx, local);
    const [removed] = await db.batch([findRemoval(removal, ctx.now)]);
    if (!removed) throw cannotRestoreError('notification');
    await db.batch([
      ...deleteUndoneRemoval(removal, ctx.now),
      ...queries.restoreNotificationRow(ctx.caller.userId, removed.rows),
    ]);
    return { success: true as const };
  },
);

function buildRemoval({ caller }: Context, local: number): Removal {
  return { ws: 0, kind: 'notification', entity: local, userId: caller.userId };
}

async function locateNotification(ctx: Context, id: number) {
  const { cell, local } = fromPublicId(id);
  if (!listCallerCells(ctx.caller).includes(cell)) throw notificationNotFoundError(id);
  return { db: await getWritableCell(ctx, cell), local };
}

/** Call this before a batch that stores an idempotency key, because a 404 must leave the key unused. */
async function requireNotification(
  ctx: Context,
  db: BatchDatabase,
  { id, local }: { id: number; local: number },
) {
  if (db !== ctx.db || !ctx.db.willClaimKey) return;
  const [found] = await db.batch([queries.getNotification(ctx.caller.userId, local)]);
  if (!found) throw notificationNotFoundError(id);
}

function notificationNotFoundError(id: number) {
  return notFoundError('notification', id, ({ call }) => call('listNotifications'));
}

function toNotification(row: queries.NotificationRow) {
  return {
    id: row.id,
    type: row.type,
    isRead: row.read_at !== null,
    readAt: row.read_at === null ? null : toTimestamp(row.read_at),
    createdAt: toTimestamp(row.created_at),
    task:
      row.task_id === null
        ? null
        : { id: row.task_id, name: row.task_name ?? '', status: toTaskStatus(row.task_status ?? 0) },
    comment:
      row.comment_id === null || row.comment_content === null
        ? null
        : { id: row.comment_id, content: row.comment_content },
    project: row.project_id === null ? null : { id: row.project_id, name: row.project_name ?? '' },
    actor:
      row.actor_id === null ? null : { id: row.actor_id, name: row.actor_name ?? '', image: row.actor_image },
    workspace: { id: row.workspace_id, name: row.workspace_name },
  };
}

function toTaskStatus(stored: number): TaskStatus {
  return taskStatuses[stored] as TaskStatus;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
