import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { findJobPosition, saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { repairOpenBlockers } from '../model/relations.queries.ts';
import { listLabelCounts, recountLabelTotals } from './label-counts.queries.ts';
import {
  listAssigneeCommentCounts,
  listCommentCounts,
  listDueDays,
  listMemberHalves,
  listMemberKeys,
  listMemberTotals,
  listOtherAssigneeCounts,
  listProjectKeys,
  listSubtaskCounts,
  listTaskCounts,
  type MemberKey,
  type ProjectKey,
  recountAssignees,
  recountMember,
  recountProjectCounters,
  repairCommentCopies,
  repairFollowerLists,
  repairOtherAssignees,
  repairSubtaskCounts,
  repairTaskTotals,
} from './repair.queries.ts';

export const STATEMENTS_PER_PROJECT = 46;
export const STATEMENTS_PER_MEMBER = 8;
const STATEMENTS_PER_PAGE = 3;
const ROWS_PER_RUN_MAX = 60;

/** Continues where the last run stopped. After the last project, the next night starts over. Runs can overlap. */
export async function repairCounters(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  return repairPage(
    cell,
    { name: 'counters', cost: STATEMENTS_PER_PROJECT, allowance },
    listProjectKeys,
    async (project) => {
      const wrong = await recountProject(cell, project);
      if (wrong) log('error', 'counters.repaired', { cell: no, project: project.id, ...wrong });
      const areSumsWrong = await recountWorkspaceAssignees(cell, project.ws);
      if (areSumsWrong)
        log('error', 'counters.repaired', { cell: no, workspace: project.ws, comment_counts: true });
      if (await recountWorkspaceLabels(cell, project.ws))
        log('error', 'counters.repaired', { cell: no, workspace: project.ws, label_counts: true });
      return project.id;
    },
  );
}

export async function repairMemberTotals(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  return repairPage(
    cell,
    { name: 'totals', cost: STATEMENTS_PER_MEMBER, allowance },
    listMemberKeys,
    async (member) => {
      if (await recountMemberTotals(cell, member))
        log('error', 'counters.repaired', { cell: no, member: member.no });
      return member.no;
    },
  );
}

/** Returns whether more rows are left to repair tonight. */
async function repairPage<T>(
  cell: Database,
  { name, cost, allowance }: { name: string; cost: number; allowance: Allowance },
  list: (after: number, limit: number) => Statement<T[]>,
  repair: (row: T) => Promise<number>,
): Promise<boolean> {
  const limit = countAffordableUnits({ left: allowance.left - STATEMENTS_PER_PAGE }, cost, ROWS_PER_RUN_MAX);
  const [found] = await cell.batch([findJobPosition(name)]);
  const [page] = await cell.batch([list(Number(found?.position ?? 0), limit)]);
  let last = 0;
  for (const row of page) last = await repair(row);
  const isThrough = page.length < limit;
  await cell.batch([saveJobPosition(name, String(isThrough ? 0 : last))]);
  return !isThrough;
}

export async function recountMemberTotals(cell: Database, member: MemberKey): Promise<boolean> {
  const results: readonly unknown[] = await cell.batch([
    ...listMemberTotals(member),
    ...recountMember(member),
    ...listMemberTotals(member),
  ]);
  return haveDifferentCounts(results.slice(0, 2).flat(), results.slice(-2).flat());
}

interface WrongCounts {
  task_counts: boolean;
  subtask_counts: boolean;
  other_assignee_counts: boolean;
  due_days: boolean;
  member_halves: boolean;
  comment_counts: boolean;
  label_counts: boolean;
  comments: number;
  followers: number;
  other_assignees: number;
  subtasks: number;
  blocked: number;
  tasks: number;
}

/** Runs in one transaction, so other requests can keep writing. Returns null if nothing was wrong. */
export async function recountProject(cell: Database, project: ProjectKey): Promise<WrongCounts | null> {
  const listCounters = () =>
    [
      listTaskCounts(project),
      listSubtaskCounts(project),
      listOtherAssigneeCounts(project),
      listDueDays(project),
      listMemberHalves(project),
      listCommentCounts(project),
      listLabelCounts(project),
    ] as const;
  const results = await cell.batch([
    ...listCounters(),
    repairCommentCopies(project),
    repairFollowerLists(project),
    repairSubtaskCounts(project),
    repairOpenBlockers(project),
    ...repairOtherAssignees(project),
    ...recountProjectCounters(project),
    ...listCounters(),
    repairTaskTotals(project),
  ] as const);
  const [tasksBefore, subtasksBefore, othersBefore, daysBefore, halvesBefore, commentsBefore] = results;
  const labelsBefore = results[6];
  const [moved, listed, counted, blocked, deleted, inserted] = results.slice(7) as { id: number }[][];
  const [tasksAfter, subtasksAfter, othersAfter, daysAfter, halvesAfter, commentsAfter, labelsAfter, mended] =
    results.slice(-8) as unknown[];
  const wrong = {
    task_counts: haveDifferentCounts(tasksBefore, tasksAfter),
    subtask_counts: haveDifferentCounts(subtasksBefore, subtasksAfter),
    other_assignee_counts: haveDifferentCounts(othersBefore, othersAfter),
    due_days: haveDifferentCounts(daysBefore, daysAfter),
    member_halves: haveDifferentCounts(halvesBefore, halvesAfter),
    comment_counts: haveDifferentCounts(commentsBefore, commentsAfter),
    label_counts: haveDifferentCounts(labelsBefore, labelsAfter),
    comments: moved?.length ?? 0,
    followers: listed?.length ?? 0,
    other_assignees: (deleted?.length ?? 0) + (inserted?.length ?? 0),
    subtasks: counted?.length ?? 0,
    blocked: blocked?.length ?? 0,
    tasks: (mended as unknown[]).length,
  };
  return Object.values(wrong).some(Boolean) ? wrong : null;
}

export async function recountWorkspaceAssignees(cell: Database, ws: number): Promise<boolean> {
  const results = await cell.batch([
    listAssigneeCommentCounts(ws),
    ...recountAssignees(ws),
    listAssigneeCommentCounts(ws),
  ]);
  return haveDifferentCounts(results[0], results.at(-1));
}

export async function recountWorkspaceLabels(cell: Database, ws: number): Promise<boolean> {
  const totals = listLabelCounts({ ws, id: 0 });
  const results = await cell.batch([totals, ...recountLabelTotals(ws), totals]);
  return haveDifferentCounts(results[0], results.at(-1));
}

const KEY_COLUMNS = new Set(['ws', 'member', 'project', 'is_subtask', 'day', 'half', 'month', 'label_key']);

function haveDifferentCounts(before: unknown, after: unknown): boolean {
  const dropEmptyRows = (counters: unknown) =>
    (counters as Record<string, number>[]).filter((row) =>
      Object.entries(row).some(([column, value]) => !KEY_COLUMNS.has(column) && value !== 0),
    );
  return JSON.stringify(dropEmptyRows(before)) !== JSON.stringify(dropEmptyRows(after));
}
