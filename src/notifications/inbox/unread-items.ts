import { getDateFormat } from '../../kernel/dates/date-format.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { describeImages } from '../../kernel/rich-text/attachment-images.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { findMentionedIds, replaceMentions } from '../../tasks/mentions/mentions.ts';
import { describeNotification } from './notification-text.ts';
import type { NotificationRow } from './notifications.queries.ts';
import type { NotificationType } from './notifications.schema.ts';
import { listMemberNames, listUnreadNotifications, type UnreadFilter } from './unread-items.queries.ts';

/** One more than is shown, so that the reader can tell whether there are more. */
export const ITEMS_READ_MAX = 21;
const SHOWN_COMMENT_CHARACTERS_MAX = 300;

/** A notification as text, for email and push. Contains only what the recipient can see now. */
export interface UnreadItem {
  /** The id within the cell. */
  readonly id: number;
  readonly type: NotificationType;
  readonly workspaceId: string;
  readonly createdAt: number;
  readonly line: string;
  readonly quote: string | null;
  /** The page to open, without the origin. */
  readonly path: string;
}

/** Returns the newest items first. */
export async function readUnreadItems(
  scope: Pick<RequestScope, 'cell'>,
  cell: number,
  userId: string,
  wanted: Omit<UnreadFilter, 'limit'>,
): Promise<UnreadItem[]> {
  if (wanted.kinds.length === 0) return [];
  const db = scope.cell(cell);
  const [rows] = await db.batch([listUnreadNotifications(userId, { ...wanted, limit: ITEMS_READ_MAX })]);
  const names = await readMentionedNames(scope, cell, rows);
  return rows.map((row) => toUnreadItem(row, names.get(row.workspace_id) ?? new Map()));
}

async function readMentionedNames(
  scope: Pick<RequestScope, 'cell'>,
  cell: number,
  rows: readonly NotificationRow[],
) {
  const ids = findMentionedIds(rows.map(({ comment_content }) => comment_content ?? ''));
  const names = new Map<string, Map<string, string>>();
  if (ids.length === 0) return names;
  const workspaceIds = [...new Set(rows.map(({ workspace_id }) => workspace_id))];
  const [found] = await scope.cell(cell).batch([listMemberNames(workspaceIds, ids)]);
  for (const { workspace_id, id, name } of found)
    names.set(workspace_id, (names.get(workspace_id) ?? new Map()).set(id, name));
  return names;
}

function toUnreadItem(row: NotificationRow, names: ReadonlyMap<string, string>): UnreadItem {
  const who = row.actor_id === null ? 'Edgework' : row.actor_name;
  const what = row.task_name ?? row.project_name ?? '';
  const base = `/app/${row.workspace_id}`;
  return {
    id: row.id,
    type: row.type,
    workspaceId: row.workspace_id,
    createdAt: row.created_at,
    line: `${who} ${describeNotification(row.type)} ${what}`.trim(),
    quote: row.type === 'reminder' ? describeDueMoment(row) : quoteComment(row, names),
    path: base + getPath(row),
  };
}

function quoteComment({ comment_content: content }: NotificationRow, names: ReadonlyMap<string, string>) {
  return content === null
    ? null
    : shorten(describeImages(replaceMentions(content, names)), SHOWN_COMMENT_CHARACTERS_MAX);
}

/** Deadlines are stored in the workspace's local time. */
function describeDueMoment({ task_due: due, task_due_time: time }: NotificationRow): string | null {
  if (due === null || due === NO_DEADLINE) return null;
  const day = getDateFormat('en-GB', dueDayFormat).format(new Date(`${due}T00:00:00Z`));
  return `Due ${day}${time === null ? '' : ` at ${time}`}`;
}

const dueDayFormat = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
} as const;

/** The same as where the inbox leads (src/web/pages/inbox/inbox.tsx). */
function getPath({ type, task_id }: NotificationRow): string {
  if (type === 'changes_proposed') return '/changes';
  return task_id === null ? '/inbox' : `/tasks/${task_id}`;
}
