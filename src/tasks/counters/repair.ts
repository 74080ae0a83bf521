import type { CellJob } from '../../kernel/operation/jobs.ts';
import { log } from '../../kernel/operation/log.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import { type Allowance, countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Database, Statement } from '../../kernel/sql/database.ts';
import { findJobPosition, saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { repairOpenBlockers } from '../model/relations.queries.ts';
import { listLabelCounts, recountLabelTotals } from './label-counts.queries.ts';
import {
  listAssigneeCommentCounts,
  listCommentCounts,
  listDueDays,
  listMemberHalfMonths,
  listMemberKeys,
  listMemberTotals,
  listOtherAssigneeCounts,
  listProjectKeys,
  listSubtaskCounts,
  listTaskCounts,
  type MemberKey,
  type ProjectKey,
  recountAssignees,
  recountMemberCounters,
  recountProjectCounters,
  repairCommentCopies,
  repairFollowerLists,
  repairOtherAssignees,
  repairSubtaskCounts,
  repairTaskCounts,
} from './repair.queries.ts';

const STATEMENTS_PER_PROJECT = 46;
const STATEMENTS_PER_MEMBER = 8;
const STATEMENTS_PER_PAGE = 3;
/** The maximum number of projects or members per run. */
const ROWS_PER_RUN_MAX = 60;

/** Continues where the last run stopped. After the last project, starts over the next night. Runs can overlap. */
export const repairCounters: CellJob = {
  name: 'counters.repair',
  cost: STATEMENTS_PER_PAGE + STATEMENTS_PER_PROJECT,
  isDue: null,
  async run(scope, no, allowance) {
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
  },
};

export const repairMemberTotals: CellJob = {
  name: 'totals.repair',
  cost: STATEMENTS_PER_PAGE + STATEMENTS_PER_MEMBER,
  isDue: null,
  async run(scope, no, allowance) {
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
  },
};

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
  const { before, after } = await batchByName(cell, {
    before: listMemberTotals(member),
    recount: recountMemberCounters(member),
    after: listMemberTotals(member),
  });
  return haveDifferentCounts(before.flat(), after.flat());
}

/** For each counter, whether it was wrong. For each copied value, the number of wrong rows. */
type RepairReport = Readonly<Record<string, boolean | number>>;

/** Runs in one transaction, so that concurrent writes can't distort the counts. Returns null if nothing was wrong. */
export async function recountProject(cell: Database, project: ProjectKey): Promise<RepairReport | null> {
  const counters = {
    task_counts: listTaskCounts(project),
    subtask_counts: listSubtaskCounts(project),
    other_assignee_counts: listOtherAssigneeCounts(project),
    due_days: listDueDays(project),
    member_halves: listMemberHalfMonths(project),
    comment_counts: listCommentCounts(project),
    label_counts: listLabelCounts(project),
  };
  const { before, after, ...repaired } = await batchByName(cell, {
    before: Object.values(counters),
    comments: repairCommentCopies(project),
    followers: repairFollowerLists(project),
    subtasks: repairSubtaskCounts(project),
    blocked: repairOpenBlockers(project),
    others: repairOtherAssignees(project),
    recount: recountProjectCounters(project),
    after: Object.values(counters),
    tasks: repairTaskCounts(project),
  });
  const wrong = {
    ...Object.fromEntries(
      Object.keys(counters).map((name, index) => [name, haveDifferentCounts(before[index], after[index])]),
    ),
    comments: repaired.comments.length,
    followers: repaired.followers.length,
    other_assignees: repaired.others.flat().length,
    subtasks: repaired.subtasks.length,
    blocked: repaired.blocked.length,
    tasks: repaired.tasks.length,
  };
  return Object.values(wrong).some(Boolean) ? wrong : null;
}

export async function recountWorkspaceAssignees(cell: Database, ws: number): Promise<boolean> {
  const { before, after } = await batchByName(cell, {
    before: listAssigneeCommentCounts(ws),
    recount: recountAssignees(ws),
    after: listAssigneeCommentCounts(ws),
  });
  return haveDifferentCounts(before, after);
}

export async function recountWorkspaceLabels(cell: Database, ws: number): Promise<boolean> {
  const totals = listLabelCounts({ ws, id: 0 });
  const { before, after } = await batchByName(cell, {
    before: totals,
    recount: recountLabelTotals(ws),
    after: totals,
  });
  return haveDifferentCounts(before, after);
}

const KEY_COLUMNS = new Set(['ws', 'member', 'project', 'is_subtask', 'day', 'half', 'month', 'label_key']);

function haveDifferentCounts(before: unknown, after: unknown): boolean {
  const dropEmptyRows = (counters: unknown) =>
    (counters as Record<string, number>[]).filter((row) =>
      Object.entries(row).some(([column, value]) => !KEY_COLUMNS.has(column) && value !== 0),
    );
  return JSON.stringify(dropEmptyRows(before)) !== JSON.stringify(dropEmptyRows(after));
}
