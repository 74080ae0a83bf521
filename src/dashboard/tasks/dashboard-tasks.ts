import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { skipToOffset } from '../../kernel/lists/deep-offset.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { type SQL, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { buildFirstParts } from '../../search/index/search.queries.ts';
import { hasMoreParts, readSearchPage, sumTotals } from '../../search/index/search.ts';
import { compareSortKeys } from '../../tasks/model/sort-keys.ts';
import { getSortKey } from '../../tasks/model/task-orders.queries.ts';
import { toDeadline } from '../../tasks/model/tasks.policy.ts';
import { toReference } from '../../tasks/model/tasks.present.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import { toInitials } from '../../workspaces/reference/initials.ts';
import { hyphenateStatus } from '../filter/dashboard-filter.schema.ts';
import { toDashboardFilter } from '../filter/dashboard-filter.ts';
import { allStatusIndexes, openStatusIndexes } from '../filter/statuses.ts';
import {
  type DashboardTasksInput,
  dashboardTaskPage,
  dashboardTasksInput,
} from './dashboard-tasks.schema.ts';
import { toDueState } from './due-state.ts';
import { countMatches, listMatchPage, selectMatchPage } from './search-pages.queries.ts';
import { countDashboardTasks, selectPageIds } from './task-pages.queries.ts';
import { type DashboardTaskRow, listDashboardTasks as selectTasks } from './task-rows.queries.ts';

/** Skipping this many rows takes about 30 ms. */
const ROWS_SKIPPED_PER_BATCH = 10_000;

const listSpec = {
  access: 'dashboard:read',
  capability: 'seeDashboard',
  effect: 'read',
  input: dashboardTasksInput,
  output: dashboardTaskPage,
} as const;

export const listDashboardTasks = defineOperation(
  {
    ...listSpec,
    name: 'listDashboardTasks',
    summary: "List the dashboard's tasks",
    description:
      'Your role decides which tasks are listed. `dueLabel` describes the deadline relative to `localDate`.',
  },
  (ctx, input) => readDashboardTasks(ctx, input, allStatusIndexes),
);

export const listOpenDashboardTasks = defineOperation(
  {
    ...listSpec,
    name: 'listOpenDashboardTasks',
    summary: "List the dashboard's tasks, excluding completed tasks unless status includes them",
  },
  (ctx, input) => readDashboardTasks(ctx, input, openStatusIndexes),
);

async function readDashboardTasks(
  { db, caller, reach, now }: Context,
  { sort, limit, offset, cursor, ...input }: DashboardTasksInput,
  statuses: readonly number[],
) {
  const filter = toDashboardFilter(input, reach, statuses);
  const today = input.localDate ?? toWallClock(now, caller.timezone).date;
  const range = toRange({ limit, offset, cursor }, sort === 'created' ? 1 : 2);
  const [total, rows] = await (filter.search === undefined
    ? db.batch([
        countDashboardTasks(caller, filter),
        selectTaskRows(selectPageIds(caller, filter, sort, await skipToPage())),
      ])
    : searchTasks(filter.search));
  return buildPage({
    range,
    total,
    rows,
    key: (row) => getSortKey(row, sort),
    show: (row) => toDashboardTask(row, today),
  });

  function skipToPage() {
    return skipToOffset(range, {
      step: ROWS_SKIPPED_PER_BATCH,
      count: async () => (await db.batch([countDashboardTasks(caller, filter)]))[0],
      find: async (part) => {
        const [[row]] = await db.batch([selectTaskRows(selectPageIds(caller, filter, sort, part))]);
        return row ? getSortKey(row, sort) : null;
      },
    });
  }

  function selectTaskRows(ids: SQL) {
    return selectTasks(caller, filter, ids);
  }

  async function searchTasks(text: string) {
    const parts = buildFirstParts(caller, text, { ...filter, isArchived: false });
    const [tallies, rows] = await db.batch([
      countMatches(caller, parts, filter),
      selectTaskRows(selectMatchPage(caller, parts, filter, sort, range)),
    ]);
    if (!hasMoreParts(parts, tallies)) return [sumTotals(tallies), rows] as const;
    const { total, ids } = await readSearchPage(db, {
      parts,
      range,
      tally: (part) => countMatches(caller, [part], filter),
      rows: (part, upTo) => listMatchPage(caller, part, filter, sort, upTo),
      compare: (one, other) =>
        compareSortKeys(getSortKey(one, sort), getSortKey(other, sort), sort === 'created'),
    });
    return [total, ...(await db.batch([selectTaskRows(selectIdsInOrder(ids))]))] as const;
  }
}

export function toDashboardTask(row: DashboardTaskRow, today: string) {
  const status = taskStatuses[row.status] ?? 'todo';
  const deadline = toDeadline(row.due);
  return {
    id: row.id,
    title: row.name,
    project: { id: row.project_id, name: row.project_name },
    status: { value: hyphenateStatus(status), label: row.status_label, color: row.status_color },
    tags: JSON.parse(row.tags) as string[],
    assignee: toAssignee(row.assignee_id, row.assignee_name ?? '', row.assignee_image),
    category: toReference(row.category_id, row.category_key, row.category_value),
    type: toReference(row.type_id, row.type_key, row.type_value),
    deadline,
    ...toDueState(deadline, status === 'completed', today),
  };
}

function toAssignee(id: string | null, name: string, image: string | null) {
  return id === null ? null : { id, name, image, initials: toInitials(name) };
}
