import { wallClock } from '../kernel/civil.ts';
import { operation } from '../kernel/operation.ts';
import { type Key, page, rangeOf } from '../kernel/pagination.ts';
import { initials } from '../reference/initials.ts';
import { deadlineOf } from '../tasks/tasks.policy.ts';
import { taskStatuses } from '../tasks/tasks.schema.ts';
import {
  type DashboardSort,
  dashboardTaskPage,
  dashboardTasksInput,
  hyphenated,
} from './dashboard.schema.ts';
import { describeDue } from './due-state.ts';
import { toTaskFilter } from './filter.ts';
import { everyStatus } from './statuses.ts';
import {
  countDashboardTasks,
  type DashboardTaskRow,
  listDashboardTasks as selectTasks,
} from './task-pages.queries.ts';

export const listDashboardTasks = operation(
  {
    name: 'listDashboardTasks',
    summary: 'List tasks as the dashboard shows them',
    access: 'dashboard:read',
    effect: 'read',
    input: dashboardTasksInput,
    output: dashboardTaskPage,
  },
  async ({ db, caller, now, request }, { sort, limit, offset, cursor, ...input }) => {
    const filter = toTaskFilter(input, everyStatus);
    const today = input.localDate ?? wallClock(now, caller.timezone).date;
    const range = rangeOf({ limit, offset, cursor }, sort === 'created' ? 1 : 2);
    const [total, rows] = await db.batch([
      countDashboardTasks(caller, filter),
      selectTasks(caller, filter, sort, range),
    ]);
    return page(request, {
      range,
      total,
      rows,
      key: (row) => sortKey(row, sort),
      show: (row) => toDashboardTask(row, today),
    });
  },
);

function sortKey(row: DashboardTaskRow, sort: DashboardSort): Key {
  switch (sort) {
    case 'created':
      return [row.id];
    case 'due':
      return [row.due, row.id];
    case 'name':
      return [row.name_key, row.id];
    case 'status':
      return [row.status, row.id];
  }
}

function toDashboardTask(row: DashboardTaskRow, today: string) {
  const status = taskStatuses[row.status] ?? 'todo';
  const deadline = deadlineOf(row.due);
  return {
    id: row.id,
    title: row.name,
    project: { id: row.project_id, name: row.project_name },
    status: { value: hyphenated(status), label: row.status_label, color: row.status_color },
    tags: JSON.parse(row.tags) as string[],
    assignee: toFace(row.assignee_id, row.assignee_name ?? '', row.assignee_image),
    category: toReference(row.category_id, row.category_key, row.category_value),
    type: toReference(row.type_id, row.type_key, row.type_value),
    deadline,
    ...describeDue(deadline, status === 'completed', today),
  };
}

function toFace(id: string | null, name: string, image: string | null) {
  return id === null ? null : { id, name, image, initials: initials(name) };
}

function toReference(id: number | null, key: string | null, value: string | null) {
  return id === null ? null : { id, key: key ?? '', value: value ?? '' };
}
