import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type SQL, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { buildStructureColumns, joinParent, type StructureRow } from '../model/subtasks.queries.ts';
import { buildPageOrderBy, type PageSort } from '../model/task-orders.queries.ts';
import { type OtherAssigneesRow, otherAssigneesColumn } from '../model/tasks.queries.ts';
import { FILES_COUNTED_MAX } from './cards.schema.ts';

const a = aliasLeftJoinedTable(members, 'a');
const f = aliasTable(attachments, 'f');
const p = aliasLeftJoinedTable(projects, 'p');
const t = aliasTable(tasks, 't');

const cardColumns = selectColumns({
  id: t.id,
  project: p.name,
  name: t.name,
  status: t.status,
  priority: t.priority,
  due: t.due,
  tags: t.tags,
  due_time: t.due_time,
  updated_at: t.updated_at,
  assignee_id: a.user_id,
  assignee_name: a.name,
  assignee_email: a.email,
  comments: t.comment_count,
  files: withType<number>(sql`(SELECT count(*) FROM (SELECT 1 FROM ${f} INDEXED BY attachments_by_task
    WHERE ${f.task} = ${t.id} AND ${f.latest} = 1 LIMIT ${FILES_COUNTED_MAX + 1}))`),
});
export type CardRow = Row<typeof cardColumns> & OtherAssigneesRow & Omit<StructureRow, 'parent_id'>;

export function buildCardListQuery(caller: Caller, { isOneProject }: { isOneProject: boolean }) {
  const project = isOneProject ? sql`NULL` : t.project;
  const { parent_id: _id, ...counts } = buildStructureColumns(t, caller);
  const progress = selectColumns(counts);
  return (pageIds: SQL, sort: PageSort): Statement<CardRow[]> =>
    readRows(sql`
      SELECT ${cardColumns}, ${otherAssigneesColumn}, ${progress} FROM (${pageIds}) page
      CROSS JOIN ${t} ON ${t.id} = page.id
      LEFT JOIN ${p} ON ${p.id} = ${project}
      LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
      ${joinParent(t, caller)}
      ORDER BY ${buildPageOrderBy(sort)}`);
}
