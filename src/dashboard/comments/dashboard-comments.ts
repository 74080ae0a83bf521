import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readLongContents } from '../../tasks/comment-contents/long-contents.ts';
import { toInitials } from '../../workspaces/reference/initials.ts';
import { searchComments } from './comment-search.ts';
import {
  type CommentFilter,
  countDashboardComments,
  type DashboardCommentRow,
  listDashboardComments as selectComments,
} from './dashboard-comments.queries.ts';
import { dashboardCommentPage, dashboardCommentsInput } from './dashboard-comments.schema.ts';

export const listDashboardComments = defineOperation(
  {
    name: 'listDashboardComments',
    summary: "List comments on the dashboard's tasks, newest first",
    description:
      "`from` and `to` filter by the day of the comment. All other filters apply to the comment's task.",
    access: 'dashboard:read',
    capability: 'seeDashboardComments',
    effect: 'read',
    input: dashboardCommentsInput,
    output: dashboardCommentPage,
  },
  async ({ db, caller, reach }, { limit, offset, cursor, from, to, search, ...scope }) => {
    const range = toRange({ limit, offset, cursor }, 1);
    const shape = { range, key: ({ id }: DashboardCommentRow) => [id], show: toDashboardComment };
    if (reach === 'none') return buildPage({ ...shape, total: 0, rows: [] });
    const filter: CommentFilter = { ...scope, reach, from, to };
    const [total, rows] = search
      ? await searchComments(db, caller, filter, search, range)
      : await db.batch([countDashboardComments(caller, filter), selectComments(caller, filter, range)]);
    return buildPage({ ...shape, total, rows: await readLongContents(db, caller, rows) });
  },
);

export function toDashboardComment(row: DashboardCommentRow & { content: string }) {
  return {
    id: row.id,
    content: row.content,
    author: {
      id: row.author_id,
      name: row.author_name,
      email: row.author_email,
      image: row.author_image,
      initials: toInitials(row.author_name),
    },
    task: { id: row.task_id, title: row.task_name },
    project: { id: row.project_id, name: row.project_name },
    createdAt: toTimestamp(row.created_at),
  };
}
