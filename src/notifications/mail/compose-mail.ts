import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { appendSeal } from '../../kernel/secrets/seal.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import { buildDigestMail, buildGreeting, type Mail } from '../../mail/templates.ts';
import { findMentionedIds, replaceMentions } from '../../tasks/mentions/mentions.ts';
import { describeNotification } from '../inbox/notification-text.ts';
import type { NotificationRow } from '../inbox/notifications.queries.ts';
import { listMemberNames, listUnmailedNotifications } from './unmailed.queries.ts';

const ITEMS_SHOWN_MAX = 20;
const SHOWN_COMMENT_CHARACTERS_MAX = 300;
export const UNSUBSCRIBE_PURPOSE = 'unsubscribe';

type MailScope = Pick<RequestScope, 'cell' | 'origin' | 'config'>;

export interface MailItem {
  readonly createdAt: number;
  readonly line: string;
  readonly quote: string | null;
  readonly link: string;
}

export async function readMailItems(
  scope: MailScope,
  cell: number,
  userId: string,
  wanted: Omit<Parameters<typeof listUnmailedNotifications>[1], 'limit'>,
): Promise<MailItem[]> {
  if (wanted.kinds.length === 0) return [];
  const db = scope.cell(cell);
  const [found] = await db.batch([
    listUnmailedNotifications(userId, { ...wanted, limit: ITEMS_SHOWN_MAX + 1 }),
  ]);
  const rows = found.filter(({ task_id, project_id }) => task_id !== null || project_id !== null);
  const names = await readMentionedNames(scope, cell, rows);
  return rows.map((row) => toMailItem(scope, row, names.get(row.workspace_id) ?? new Map()));
}

async function readMentionedNames(scope: MailScope, cell: number, rows: readonly NotificationRow[]) {
  const ids = findMentionedIds(rows.map(({ comment_content }) => comment_content ?? ''));
  const names = new Map<string, Map<string, string>>();
  if (ids.length === 0) return names;
  const workspaceIds = [...new Set(rows.map(({ workspace_id }) => workspace_id))];
  const [found] = await scope.cell(cell).batch([listMemberNames(workspaceIds, ids)]);
  for (const { workspace_id, id, name } of found)
    names.set(workspace_id, (names.get(workspace_id) ?? new Map()).set(id, name));
  return names;
}

function toMailItem(
  { origin }: MailScope,
  row: NotificationRow,
  names: ReadonlyMap<string, string>,
): MailItem {
  const who = row.actor_id === null ? 'Edgework' : row.actor_name;
  const what = row.task_name ?? row.project_name ?? '';
  const base = `${origin}/app/${row.workspace_id}`;
  const words = row.comment_content === null ? null : replaceMentions(row.comment_content, names);
  return {
    createdAt: row.created_at,
    line: `${who} ${describeNotification(row.type)} ${what}`,
    quote: words === null ? null : shorten(words, SHOWN_COMMENT_CHARACTERS_MAX),
    link: row.task_id === null ? `${base}/inbox` : `${base}/tasks/${row.task_id}`,
  };
}

/** The subject must not contain user-written text. */
export function composeMail(
  { origin, config }: MailScope,
  { id, name }: { id: string; name: string },
  items: readonly MailItem[],
  mode: 'at_once' | 'daily',
): Mail {
  const shown = items.slice(0, ITEMS_SHOWN_MAX);
  const count = items.length > ITEMS_SHOWN_MAX ? `${ITEMS_SHOWN_MAX}+` : String(items.length);
  const noun = items.length === 1 ? 'notification' : 'notifications';
  const token = appendSeal(config.sessionSecret, UNSUBSCRIBE_PURPOSE, id);
  const unsubscribe = `${origin}/unsubscribe?token=${encodeURIComponent(token)}`;
  return buildDigestMail({
    subject: mode === 'daily' ? `Your day on Edgework: ${count} ${noun}` : `${count} new ${noun} on Edgework`,
    greeting: buildGreeting(name),
    items: shown,
    more: items.length > ITEMS_SHOWN_MAX ? `See more in your inbox: ${origin}/app` : null,
    unsubscribe,
  });
}
