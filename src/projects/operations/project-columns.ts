import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildSinglePage, buildSinglePageSchema } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { type TaskStatus, taskStatuses } from '../../tasks/fields.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { assertProjectVersion, findProjectState, updateProject } from './project-changes.queries.ts';
import {
  findMeetingColumns,
  findProjectColumns,
  findTaskColumns,
  listTaskStatusNames,
  type ProjectColumnsRow,
} from './project-columns.queries.ts';
import {
  parseColumns,
  projectColumn,
  projectColumnUpdateInput,
  type StoredColumn,
  serializeColumns,
  statusesInProject,
} from './project-columns.schema.ts';
import { requireEditableProject } from './projects.policy.ts';

export const listProjectColumns = defineOperation(
  {
    name: 'listProjectColumns',
    summary: "List the columns of a project's board",
    description:
      'Returns one column for each of the five statuses, in order. Tasks have the same status values in every project.',
    access: 'projects:read',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: buildSinglePageSchema(projectColumn)
      .extend({ data: z.array(projectColumn).max(taskStatuses.length) })
      .meta({ id: 'ProjectColumnPage' }),
  },
  async ({ db, caller }, { id }) => {
    const [found, statuses] = await db.batch([findProjectColumns(caller, id), listTaskStatusNames()]);
    if (!found) throw projectNotFoundError(id);
    const columns = parseColumns(found.task_columns);
    return buildSinglePage(statuses.map(({ value, label }) => toColumn(value, columns[value], label)));
  },
);

export const listStatusesInProject = defineOperation(
  {
    name: 'listStatusesInProject',
    summary:
      'List the task statuses and column labels of a project, or of the project that a task or meeting belongs to',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({
      projectId: integerId.optional(),
      taskId: integerId.optional(),
      meetingId: integerId.optional(),
    }),
    output: statusesInProject,
  },
  async ({ db, caller }, { projectId, taskId, meetingId }) => {
    const [statuses, found = null] = await db.batch([
      listTaskStatusNames(),
      ...(projectId === undefined ? [] : [findProjectColumns(caller, projectId)]),
      ...(taskId === undefined ? [] : [findTaskColumns(caller, taskId)]),
      ...(meetingId === undefined ? [] : [findMeetingColumns(caller, meetingId)]),
    ]);
    const columns = parseColumns(found?.task_columns ?? null);
    const counts = projectId !== undefined && found ? parseTaskCounts(found) : null;
    return {
      data: statuses.map(({ value, label, color }) => {
        const { label: own, isHidden, limit } = columns[value];
        const taskCount = counts?.[value] ?? null;
        return {
          value,
          label: own ?? label,
          color,
          isShown: !isHidden || Boolean(taskCount),
          limit,
          taskCount,
        };
      }),
    };
  },
);

export const updateProjectColumn = defineOperation(
  {
    name: 'updateProjectColumn',
    summary: "Change a column's label and limit, or hide it",
    access: 'session',
    capability: 'changeProjects',
    effect: 'write',
    input: projectColumnUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, column: status, ...wanted }) => {
    const { caller, db } = ctx;
    const [state, found, statuses] = await db.batch([
      findProjectState(caller, id),
      findProjectColumns(caller, id),
      listTaskStatusNames(),
    ]);
    const project = requireEditableProject(ctx, id, state);
    const columns = parseColumns(found?.task_columns ?? null);
    const name = statuses.find(({ value }) => value === status)?.label ?? status;
    const current = toColumn(status, columns[status], name);
    requireCurrentSnapshot(
      ctx.snapshot,
      wanted,
      { label: current.label, isHidden: current.isHidden, limit: current.limit },
      { type: 'project.updated', id, changes: ['columns'] },
    );
    const next = {
      label: wanted.label === undefined ? columns[status].label : toCustomLabel(wanted.label, name),
      isHidden: wanted.isHidden ?? current.isHidden,
      limit: wanted.limit === undefined ? current.limit : wanted.limit,
    };
    const all = { ...columns, [status]: next };
    if (serializeColumns(all) === serializeColumns(columns)) return { success: true as const };
    if (taskStatuses.every((each) => all[each].isHidden)) {
      throw invalidRequestError(
        'A project must show at least one status. Show another status first.',
        'isHidden',
      );
    }
    await db.batch([
      assertProjectVersion(caller, project),
      recordEvent(ctx, {
        type: 'project.updated',
        project: id,
        changes: { columns: { from: current, to: toColumn(status, next, name) } },
      }),
      updateProject(caller, id, { task_columns: serializeColumns(all) }),
    ]);
    return { success: true as const };
  },
);

function toColumn(status: TaskStatus, { label, isHidden, limit }: StoredColumn, name: string) {
  return { status, label: label ?? name, isHidden, limit };
}

function toCustomLabel(label: string | null, name: string): string | null {
  return label === null || label === '' || label === name ? null : label;
}

function parseTaskCounts({ counts }: ProjectColumnsRow): Partial<Record<TaskStatus, number>> {
  const numbers = JSON.parse(counts) as (number | null)[];
  return Object.fromEntries(taskStatuses.map((status, index) => [status, numbers[index] ?? 0]));
}
