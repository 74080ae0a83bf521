import type { CellJob } from '../../kernel/operation/jobs.ts';
import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { formatCount } from '../../kernel/text/number-format.ts';
import { listMemberKeys, listProjectKeys, repairCommentCopies } from '../../tasks/counters/repair.queries.ts';
import {
  recountMemberTotals,
  recountProject,
  recountWorkspaceAssignees,
  recountWorkspaceLabels,
} from '../../tasks/counters/repair.ts';
import {
  CALLS_PER_COPIED_MEMBERSHIP,
  copyMembershipsToDirectory,
} from '../../workspaces/directory/copy-memberships.ts';
import { hasUncopiedMemberships } from '../../workspaces/directory/memberships.queries.ts';
import { rebuildSearch } from './rebuild-search.ts';
import { deleteOrphanedCounters, repairNotificationCounts, repairStorageUsage } from './repair.queries.ts';

const ROWS_PER_PAGE = 100;

/** Repairs one project at a time while the cell serves requests. Returns a description of each repair. */
export async function repairCellCounters(cell: Database): Promise<string[]> {
  const repaired: string[] = [];
  const workspaces = new Set<number>();
  // First repairs the project and assignee stored in each comment, so that each project counts only its own comments.
  for await (const project of iterateRows(cell, listProjectKeys, ({ id }) => id)) {
    const [moved] = await cell.batch([repairCommentCopies(project)]);
    if (moved.length > 0)
      repaired.push(
        `project ${project.id}: ${formatCount(moved.length, 'comment')} had an outdated project, assignee or archived flag`,
      );
  }
  for await (const project of iterateRows(cell, listProjectKeys, ({ id }) => id)) {
    const wrong = await recountProject(cell, project);
    const names = Object.entries(wrong ?? {}).filter(([, each]) => each);
    if (wrong) repaired.push(`project ${project.id}: ${names.map(([name]) => name).join(', ')}`);
    workspaces.add(project.ws);
  }
  for (const ws of workspaces) {
    if (await recountWorkspaceAssignees(cell, ws))
      repaired.push(`workspace ${ws}: comment_counts of assignees`);
    if (await recountWorkspaceLabels(cell, ws)) repaired.push(`workspace ${ws}: label_counts`);
  }
  for await (const member of iterateRows(cell, listMemberKeys, ({ no }) => no)) {
    if (await recountMemberTotals(cell, member)) repaired.push(`totals of member ${member.no}`);
  }
  const others = [
    ['', deleteOrphanedCounters()],
    ['notification_counts of ', repairNotificationCounts()],
    ['storage of workspace ', repairStorageUsage()],
  ] as const;
  for (const [what, statements] of others) {
    const found = (await cell.batch(statements)) as { key: string }[][];
    repaired.push(...found.flat().map(({ key }) => `${what}${key}`));
  }
  return repaired;
}

export async function copyCellMemberships(
  ctx: Pick<RequestScope, 'directory' | 'cell'>,
  no: number,
  now: number,
  limit = MEMBERSHIPS_PER_RUN_MAX,
): Promise<string[]> {
  const settled = await copyMembershipsToDirectory(ctx, no, now, limit);
  return settled.map(({ user_id, workspace_id }) => `membership of ${user_id} in ${workspace_id}`);
}

/**
 * The number of statements and calls. `find` is for finding memberships, and `each` is for copying one membership to
 * the directory and up to four cells.
 */
const MEMBERSHIP_REPAIR_COST = { find: 3, each: CALLS_PER_COPIED_MEMBERSHIP + 4 };
const MEMBERSHIPS_PER_RUN_MAX = 100;

export const repairMemberships: CellJob = {
  name: 'memberships.settle',
  cost: MEMBERSHIP_REPAIR_COST.find + MEMBERSHIP_REPAIR_COST.each,
  isDue: hasUncopiedMemberships,
  async run(scope, no, allowance) {
    const limit = countAffordableUnits(
      { left: allowance.left - MEMBERSHIP_REPAIR_COST.find },
      MEMBERSHIP_REPAIR_COST.each,
      MEMBERSHIPS_PER_RUN_MAX,
    );
    const repaired = await copyCellMemberships(scope, no, scope.now, limit);
    if (repaired.length > 0) log('info', 'memberships.repaired', { cell: no, memberships: repaired.length });
    return repaired.length === limit;
  },
};

async function* iterateRows<T>(
  cell: Database,
  list: (after: number, limit: number) => Statement<T[]>,
  getKey: (row: T) => number,
): AsyncGenerator<T> {
  let after = 0;
  for (;;) {
    const [page] = await cell.batch([list(after, ROWS_PER_PAGE)]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = getKey(last);
  }
}

export async function repairSearch(cell: Database): Promise<string[]> {
  const { tasks, comments } = await rebuildSearch(cell);
  return [`search index of ${formatCount(tasks, 'task')} and ${formatCount(comments, 'comment')}`];
}
