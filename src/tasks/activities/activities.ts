import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import {
  type ActivityRow,
  countActivities,
  listActivities as selectActivities,
} from './activities.queries.ts';
import { activityListInput, activityPage } from './activities.schema.ts';

export const listActivities = defineOperation(
  {
    name: 'listActivities',
    summary: "List a task's history, newest first",
    description:
      'Each entry has the author, the change, the time, and the source: session, api_key, oauth, mcp, system or form.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: activityListInput,
    output: activityPage,
  },
  async ({ db, caller }, { id, ...input }) => {
    const range = toRange(input, 1);
    const [total, rows] = await db.batch([countActivities(caller, id), selectActivities(caller, id, range)]);
    if (total < 0) throw taskNotFoundError(id);
    return buildPage({ range, total, rows, key: (row) => [row.id], show: toActivity });
  },
);

export function toActivity(row: ActivityRow) {
  return {
    id: row.id,
    type: row.type,
    field: row.field,
    from: row.from_value,
    to: row.to_value,
    actor: { id: row.actor_id, name: row.actor_name, email: row.actor_email },
    via: row.via,
    commentId: row.comment_id,
    createdAt: toTimestamp(row.created_at),
  };
}
