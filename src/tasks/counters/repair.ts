import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { findPosition, savePosition } from '../../kernel/sql/positions.queries.ts';
import {
  assigneeCounters,
  commentCounters,
  dueDayCounters,
  listMembers,
  listProjects,
  type MemberKey,
  memberHalfCounters,
  memberTotals,
  type ProjectKey,
  recount,
  recountAssignees,
  recountMember,
  repairCommentPlaces,
  repairFollowerLists,
  repairTaskTotals,
  taskCounters,
} from './repair.queries.ts';

/** Statements of one unit: a project and the sums of its workspace, or a person. */
export const RECOUNT_COST = 26;
export const TOTALS_COST = 8;
/** Statements that read and save the position and read the page. */
const PAGE_COST = 3;
const ROWS_A_RUN = 60;

/**
 * Recounts the next projects of a cell and logs each counter that was wrong. After the last project it starts again the next
 * night. Safe to run at any time, and twice.
 */
export async function repairCounters(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  return repairPage(
    cell,
    { name: 'counters', cost: RECOUNT_COST, allowance },
    listProjects,
    async (project) => {
      const wrong = await recountProject(cell, project);
      if (wrong) log('error', 'counters.repaired', { cell: no, project: project.id, ...wrong });
      const areSumsWrong = await recountAssigneesOf(cell, project.ws);
      if (areSumsWrong)
        log('error', 'counters.repaired', { cell: no, workspace: project.ws, comment_counts: true });
      return project.id;
    },
  );
}

/** The same for the sums of each person over their projects. */
export async function repairTotals(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  const cell = scope.cell(no);
  return repairPage(cell, { name: 'totals', cost: TOTALS_COST, allowance }, listMembers, async (member) => {
    if (await recountTotals(cell, member)) log('error', 'counters.repaired', { cell: no, member: member.no });
    return member.no;
  });
}

/** Repairs the rows after the position saved by the last run. Returns whether there is more tonight. */
async function repairPage<T>(
  cell: Database,
  { name, cost, allowance }: { name: string; cost: number; allowance: Allowance },
  list: (after: number, limit: number) => Statement<T[]>,
  repair: (row: T) => Promise<number>,
): Promise<boolean> {
  const limit = unitsOf({ left: allowance.left - PAGE_COST }, cost, ROWS_A_RUN);
  const [found] = await cell.batch([findPosition(name)]);
  const [page] = await cell.batch([list(Number(found?.position ?? 0), limit)]);
  let last = 0;
  for (const row of page) last = await repair(row);
  const isThrough = page.length < limit;
  await cell.batch([savePosition(name, String(isThrough ? 0 : last))]);
  return !isThrough;
}

/** Recomputes a person's sums over their projects in one transaction. Returns whether they were wrong. */
export async function recountTotals(cell: Database, member: MemberKey): Promise<boolean> {
  const results: readonly unknown[] = await cell.batch([
    ...memberTotals(member),
    ...recountMember(member),
    ...memberTotals(member),
  ]);
  return differs(results.slice(0, 2).flat(), results.slice(-2).flat());
}

/** Which counters of a project were wrong, and how many comments, lists of followers and task totals. */
interface Wrong {
  task_counts: boolean;
  due_days: boolean;
  member_halves: boolean;
  comment_counts: boolean;
  comments: number;
  followers: number;
  tasks: number;
}

/** Recounts a project in one transaction while requests continue. Null if nothing was wrong. */
export async function recountProject(cell: Database, project: ProjectKey): Promise<Wrong | null> {
  const counters = () =>
    [
      taskCounters(project),
      dueDayCounters(project),
      memberHalfCounters(project),
      commentCounters(project),
    ] as const;
  const results = await cell.batch([
    ...counters(),
    repairCommentPlaces(project),
    repairFollowerLists(project),
    ...recount(project),
    ...counters(),
    repairTaskTotals(project),
  ] as const);
  const [tasksBefore, daysBefore, halvesBefore, commentsBefore, moved, listed] = results;
  const [tasksAfter, daysAfter, halvesAfter, commentsAfter, mended] = results.slice(-5) as unknown[];
  const wrong = {
    task_counts: differs(tasksBefore, tasksAfter),
    due_days: differs(daysBefore, daysAfter),
    member_halves: differs(halvesBefore, halvesAfter),
    comment_counts: differs(commentsBefore, commentsAfter),
    comments: moved.length,
    followers: listed.length,
    tasks: (mended as unknown[]).length,
  };
  return Object.values(wrong).some(Boolean) ? wrong : null;
}

/** Recomputes the comment counts of every assignee in a workspace. Returns whether a sum was wrong. */
export async function recountAssigneesOf(cell: Database, ws: number): Promise<boolean> {
  const results = await cell.batch([assigneeCounters(ws), ...recountAssignees(ws), assigneeCounters(ws)]);
  return differs(results[0], results.at(-1));
}

const KEYS = new Set(['ws', 'member', 'project', 'day', 'half', 'month']);

/** A row of zeros means the same as no row. */
function differs(before: unknown, after: unknown): boolean {
  const meaningful = (counters: unknown) =>
    (counters as Record<string, number>[]).filter((row) =>
      Object.entries(row).some(([column, value]) => !KEYS.has(column) && value !== 0),
    );
  return JSON.stringify(meaningful(before)) !== JSON.stringify(meaningful(after));
}
