import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { listMemberKeys, listProjectKeys, repairCommentPlaces } from '../../tasks/counters/repair.queries.ts';
import {
  recountMemberTotals,
  recountProject,
  recountWorkspaceAssignees,
} from '../../tasks/counters/repair.ts';
import { CALLS_PER_MEMBERSHIP, settleMemberships } from '../../workspaces/directory/settle-memberships.ts';
import { rebuildSearch } from './rebuild-search.ts';
import { dropStrayCounters, mendNotificationCounts, mendStorage } from './repair.queries.ts';

const ROWS_A_PAGE = 100;

/** Recounts everything in a cell, project by project, while requests continue. Returns what was wrong. */
export async function mendCounters(cell: Database): Promise<string[]> {
  const mended: string[] = [];
  const workspaces = new Set<number>();
  // Repair the copies in all comments first, so that no project counts another project's comments.
  for await (const project of everyRow(cell, listProjectKeys, ({ id }) => id)) {
    const [moved] = await cell.batch([repairCommentPlaces(project)]);
    if (moved.length > 0) mended.push(`project ${project.id}: ${moved.length} comments lay elsewhere`);
  }
  for await (const project of everyRow(cell, listProjectKeys, ({ id }) => id)) {
    const wrong = await recountProject(cell, project);
    const names = Object.entries(wrong ?? {}).filter(([, each]) => each);
    if (wrong) mended.push(`project ${project.id}: ${names.map(([name]) => name).join(', ')}`);
    workspaces.add(project.ws);
  }
  for (const ws of workspaces) {
    if (await recountWorkspaceAssignees(cell, ws))
      mended.push(`workspace ${ws}: comment_counts of assignees`);
  }
  for await (const member of everyRow(cell, listMemberKeys, ({ no }) => no)) {
    if (await recountMemberTotals(cell, member)) mended.push(`totals of member ${member.no}`);
  }
  const others = [
    ['', dropStrayCounters()],
    ['notification_counts of ', mendNotificationCounts()],
    ['storage of workspace ', mendStorage()],
  ] as const;
  for (const [what, statements] of others) {
    const found = (await cell.batch(statements)) as { key: string }[][];
    mended.push(...found.flat().map(({ key }) => `${what}${key}`));
  }
  return mended;
}

/** Copies memberships to the directory that a crash kept from it. */
export async function mendMemberships(
  ctx: Pick<RequestScope, 'directory' | 'cell'>,
  no: number,
  now: number,
  limit = MEMBERSHIPS_A_RUN,
): Promise<string[]> {
  const settled = await settleMemberships(ctx, no, now, limit);
  return settled.map(({ user_id, workspace_id }) => `membership of ${user_id} in ${workspace_id}`);
}

/** Calls for finding memberships, and for settling one person's membership across a few cells. */
export const SETTLE_COST = { find: 3, each: CALLS_PER_MEMBERSHIP + 4 };
const MEMBERSHIPS_A_RUN = 100;

/** Logs if requests left anything to settle. */
export async function repairMemberships(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const limit = unitsOf({ left: allowance.left - SETTLE_COST.find }, SETTLE_COST.each, MEMBERSHIPS_A_RUN);
  const mended = await mendMemberships(scope, no, scope.now, limit);
  if (mended.length > 0) log('info', 'memberships.repaired', { cell: no, memberships: mended.length });
  return mended.length === limit;
}

async function* everyRow<T>(
  cell: Database,
  list: (after: number, limit: number) => Statement<T[]>,
  keyOf: (row: T) => number,
): AsyncGenerator<T> {
  let after = 0;
  for (;;) {
    const [page] = await cell.batch([list(after, ROWS_A_PAGE)]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = keyOf(last);
  }
}

export async function mendSearch(cell: Database): Promise<string[]> {
  const { tasks, comments } = await rebuildSearch(cell);
  return [`search index of ${tasks} tasks and ${comments} comments`];
}
