import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { type AssigneeInput, listAssigneeNumbers } from '../field-values.ts';
import type { TaskDraft } from '../model/insert.queries.ts';
import { buildReferenceColumns, type TaskReferences } from '../operations/task-references.queries.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';

const am = aliasTable(activeMembers, 'am');
const p = aliasTable(projects, 'p');

interface ReferenceIds extends AssigneeInput {
  projectId: number;
  categoryId?: number | null | undefined;
  typeId?: number | null | undefined;
}

/** Returns one row per task, in order. A reference is null if the item doesn't exist or the caller can't see it. */
export function listTaskReferences(
  caller: Caller,
  tasks: readonly ReferenceIds[],
): Statement<TaskReferences[]> {
  const named = tasks.map((task) => [
    task.projectId,
    task.assigneeId ?? '',
    task.categoryId ?? null,
    task.typeId ?? null,
    task.assigneeIds ?? [],
  ]);
  const selectPart = (index: number) => sql`(d.value ->> ${sql.raw(String(index))})`;
  const hasSeveral = tasks.some(({ assigneeIds }) => assigneeIds !== undefined);
  const assignees = hasSeveral ? selectPart(4) : undefined;
  const ids = {
    project: selectPart(0),
    assignee: selectPart(1),
    category: selectPart(2),
    type: selectPart(3),
    assignees,
  };
  return readRows(sql`
    SELECT ${buildReferenceColumns(caller, ids)} FROM json_each(${JSON.stringify(named)}) d ORDER BY d.key`);
}

export function assertReferences(caller: Caller, drafts: readonly TaskDraft[]): Statement<void> {
  const places = JSON.stringify([...new Set(drafts.map((draft) => draft.project))]);
  const people = JSON.stringify([...new Set(drafts.flatMap(listAssigneeNumbers))]);
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${places}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = d.value
        AND ${isProjectVisible(caller, p.id)}))
    AND NOT EXISTS (SELECT 1 FROM json_each(${people}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${am} WHERE ${am.no} = d.value AND ${am.ws} = ${caller.workspace}))`);
}
