import type * as z from 'zod';
import { buildPage } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { listTaskStatusNames } from '../../projects/operations/project-columns.queries.ts';
import { parseColumns, type StoredColumn } from '../../projects/operations/project-columns.schema.ts';
import { readTaskPage } from '../../tasks/list/read-page.ts';
import { toDeadline } from '../../tasks/model/tasks.policy.ts';
import {
  type TaskStatus,
  taskListInput,
  taskPriorities,
  taskStatuses,
} from '../../tasks/model/tasks.schema.ts';
import {
  getSortOrder,
  listVisibleStatuses,
  type TaskFilter,
  toTaskListFilter,
} from '../../tasks/saved-filters/task-filter.ts';
import { linkNotFoundError } from '../model/visitor.ts';
import { readThroughLink, type VisitorRead } from '../public-links/open-link.ts';
import { toPublicHtml, toPublicText } from './public-text.ts';
import { buildSharedTaskQuery, type SharedTaskRow } from './shared-tasks.queries.ts';
import {
  type SharedTask,
  sharedTask,
  sharedTaskInput,
  sharedTasks,
  sharedTasksInput,
} from './shared-tasks.schema.ts';

/** The number of tasks per column, or in a single column or a search. They keep a page below 1,000 rows read. */
const COLUMN_TASKS_MAX = 20;
const PAGE_TASKS_MAX = 50;

const sharedListInput = taskListInput.omit({ expand: true, fields: true });
type ListInput = z.input<typeof sharedListInput>;

interface TaskPage {
  readonly rows: readonly SharedTaskRow[];
  readonly total: number | null;
  readonly next: string | null;
}
interface Reads {
  readonly names?: readonly { value: TaskStatus; label: string }[];
  readonly page?: TaskPage;
}

const readStatusNames: VisitorRead<Reads> = async ({ db }) => {
  const [names] = await db.batch([listTaskStatusNames()]);
  return { names };
};

export const getSharedTasks = defineOperation(
  {
    name: 'getSharedTasks',
    summary: 'List the tasks of a public link',
    access: 'public',
    capability: null,
    effect: 'read',
    input: sharedTasksInput,
    output: sharedTasks,
  },
  async ({ request }, { secret, status, after }) => {
    const { link, today, filter, results } = await readThroughLink(request, secret, (open) => [
      readStatusNames,
      ...listColumnInputs(open.filter, open.today, status, after).map((input) =>
        buildPageRead(input, { showsNames: open.link.shows_names === 1, isDetailed: false }),
      ),
    ]);
    const isSearch = Boolean(filter.q);
    const pages = results.flatMap(({ page }) => page ?? []);
    const statuses = listColumnStatuses(filter, status);
    const columns = parseColumns(link.task_columns);
    const names = results[0]?.names ?? [];
    return {
      ...toSharedLink(request, link, today),
      next: isSearch ? (pages[0]?.next ?? null) : null,
      columns: statuses
        .map((value, index) => {
          const page = isSearch ? toSearchColumn(pages[0], value) : pages[index];
          return {
            status: value,
            label: toPublicText(getLabel(value, columns, names), request.origin),
            total: page?.total ?? null,
            tasks: (page?.rows ?? []).map((row) => toSharedTask(request, row)),
            next: page?.next ?? null,
          };
        })
        .filter(({ status: value, tasks }) => status || tasks.length > 0 || !columns[value].isHidden),
    };
  },
);

export const getSharedTask = defineOperation(
  {
    name: 'getSharedTask',
    summary: 'Get a task of a public link',
    access: 'public',
    capability: null,
    effect: 'read',
    input: sharedTaskInput,
    output: sharedTask,
  },
  async ({ request }, { secret, id }) => {
    const { link, today, results } = await readThroughLink(request, secret, ({ link, filter, today }) => [
      readStatusNames,
      buildPageRead(
        { ...toTaskListFilter(filter, today), ids: [id], limit: 1 },
        { showsNames: link.shows_names === 1, isDetailed: true },
      ),
    ]);
    const row = results[1]?.page?.rows[0];
    if (!row) throw linkNotFoundError();
    const task = toSharedTask(request, row);
    const names = results[0]?.names ?? [];
    return {
      ...toSharedLink(request, link, today),
      task: {
        ...task,
        statusLabel: toPublicText(
          getLabel(task.status, parseColumns(link.task_columns), names),
          request.origin,
        ),
        startDate: row.start_date,
        description: row.description === null ? null : toPublicHtml(row.description, request.origin),
      },
    };
  },
);

function toSharedLink(
  { origin }: RequestScope,
  { name, workspace_name }: { name: string; workspace_name: string },
  today: string,
) {
  return { name: toPublicText(name, origin), workspaceName: toPublicText(workspace_name, origin), today };
}

function listColumnStatuses(filter: TaskFilter, only: TaskStatus | undefined): readonly TaskStatus[] {
  const statuses = listVisibleStatuses(filter.status);
  return only === undefined ? statuses : statuses.filter((each) => each === only);
}

/** A text search is expensive, so a filter with one reads all columns at once. */
function listColumnInputs(
  filter: TaskFilter,
  today: string,
  only: TaskStatus | undefined,
  cursor: string | undefined,
): ListInput[] {
  const statuses = listColumnStatuses(filter, only);
  const query = { ...toTaskListFilter(filter, today), sort: getSortOrder(filter), ...(cursor && { cursor }) };
  if (filter.q) return [{ ...query, status: [...statuses], limit: PAGE_TASKS_MAX }];
  const limit = only === undefined ? COLUMN_TASKS_MAX : PAGE_TASKS_MAX;
  return statuses.map((status) => ({ ...query, status: [status], limit }));
}

function buildPageRead(
  input: ListInput,
  options: { showsNames: boolean; isDetailed: boolean },
): VisitorRead<Reads> {
  return async (ctx) => {
    const found = await readTaskPage(ctx, sharedListInput.parse(input), {
      list: buildSharedTaskQuery(ctx.caller, options),
      countUpTo: PAGE_TASKS_MAX,
    });
    const { body, nextCursor } = buildPage({ ...found, show: (row) => row });
    return {
      page: {
        rows: body.data,
        total: found.isCounted ? body.meta.total : null,
        next: nextCursor ?? null,
      },
    };
  };
}

function toSearchColumn(page: TaskPage | undefined, status: TaskStatus): TaskPage {
  const isInColumn = (row: SharedTaskRow) => taskStatuses[row.status] === status;
  return { rows: page?.rows.filter(isInColumn) ?? [], total: null, next: null };
}

function getLabel(
  status: TaskStatus,
  columns: Readonly<Record<TaskStatus, StoredColumn>>,
  names: readonly { value: TaskStatus; label: string }[],
): string {
  return columns[status].label ?? names.find(({ value }) => value === status)?.label ?? status;
}

function toSharedTask({ origin }: RequestScope, row: SharedTaskRow): SharedTask {
  return {
    id: row.id,
    name: toPublicText(row.name, origin),
    status: taskStatuses[row.status] ?? 'todo',
    priority: taskPriorities[row.priority] ?? 'medium',
    deadline: toDeadline(row.due),
    dueTime: row.due_time,
    tags: (JSON.parse(row.tags) as string[]).map((tag) => toPublicText(tag, origin)),
    assignees: listAssigneeNames(row),
    subtasks: { total: row.subtasks, completed: row.subtasks_completed },
    checklist: { total: row.checklist_total, done: row.checklist_done },
  };
}

function listAssigneeNames({ names, is_assigned }: SharedTaskRow): string[] {
  if (is_assigned === 0) return [];
  if (names === null) return ['Someone'];
  const [first, ...others] = (JSON.parse(names) as string[]).toReversed();
  return first === undefined ? ['Someone'] : [first, ...others.toReversed()];
}
