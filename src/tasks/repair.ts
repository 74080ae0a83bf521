import type { Database } from '../kernel/database.ts';
import { log } from '../kernel/log.ts';
import type { Scope } from '../kernel/request-scope.ts';
import {
  assigneeCounters,
  commentCounters,
  countMembers,
  countProjects,
  dueDays,
  listMembers,
  listProjects,
  type MemberKey,
  memberDays,
  memberTotals,
  mendCommentPlaces,
  mendTaskTotals,
  type ProjectKey,
  recount,
  recountAssignees,
  recountMember,
  taskCounters,
} from './repair.queries.ts';

/** Of all cells: a run stays below the platform's 1,000 statements, and the next nights take the next projects. */
const PROJECTS_A_RUN = 40;
const MEMBERS_A_RUN = 40;
const DAY_MS = 86_400_000;

/** Counts a share of every cell's projects and people anew and logs each counter that was wrong. Safe to run twice. */
export async function repairCounters(scope: Scope): Promise<void> {
  const share = (many: number) => Math.max(1, Math.floor(many / scope.config.cells.size));
  for (const no of scope.config.cells.keys()) {
    const cell = scope.cell(no);
    const [projects, members] = await cell.batch([countProjects(), countMembers()]);
    const [someProjects, someMembers] = await cell.batch([
      listProjects(...turnOf(scope.now, share(PROJECTS_A_RUN), projects)),
      listMembers(...turnOf(scope.now, share(MEMBERS_A_RUN), members)),
    ]);
    for (const project of someProjects) {
      const wrong = await recountProject(cell, project);
      if (wrong) log('error', 'counters.repaired', { cell: no, project: project.id, ...wrong });
    }
    for (const member of someMembers) {
      if (await recountTotals(cell, member))
        log('error', 'counters.repaired', { cell: no, member: member.no });
    }
    for (const ws of workspacesOf(someProjects)) {
      const isWrong = await recountAssigneesOf(cell, ws);
      if (isWrong) log('error', 'counters.repaired', { cell: no, workspace: ws, comment_counts: true });
    }
  }
}

/** Limit and offset of the share whose turn it is today. */
function turnOf(now: number, share: number, total: number): [limit: number, offset: number] {
  const turns = Math.max(1, Math.ceil(total / share));
  return [share, (Math.floor(now / DAY_MS) % turns) * share];
}

/** Sums a person's counters over their projects anew, in one transaction. Whether they were wrong. */
export async function recountTotals(cell: Database, member: MemberKey): Promise<boolean> {
  const results: readonly unknown[] = await cell.batch([
    ...memberTotals(member),
    ...recountMember(member),
    ...memberTotals(member),
  ]);
  return differs(results.slice(0, 2).flat(), results.slice(-2).flat());
}

/** Which counters of a project were wrong, how many comments lay elsewhere, and how many tasks had wrong totals. */
interface Wrong {
  task_counts: boolean;
  due_days: boolean;
  member_days: boolean;
  comment_counts: boolean;
  comments: number;
  tasks: number;
}

/** Counts a project anew in one transaction, beside whatever else is going on. Null where nothing was wrong. */
export async function recountProject(cell: Database, project: ProjectKey): Promise<Wrong | null> {
  const counters = () =>
    [taskCounters(project), dueDays(project), memberDays(project), commentCounters(project)] as const;
  const results = await cell.batch([
    ...counters(),
    mendCommentPlaces(project),
    ...recount(project),
    ...counters(),
    mendTaskTotals(project),
  ] as const);
  const [tasksBefore, daysBefore, membersBefore, commentsBefore, moved] = results;
  const [tasksAfter, daysAfter, membersAfter, commentsAfter, mended] = results.slice(-5) as unknown[];
  const wrong = {
    task_counts: differs(tasksBefore, tasksAfter),
    due_days: differs(daysBefore, daysAfter),
    member_days: differs(membersBefore, membersAfter),
    comment_counts: differs(commentsBefore, commentsAfter),
    comments: moved.length,
    tasks: (mended as unknown[]).length,
  };
  return Object.values(wrong).some(Boolean) ? wrong : null;
}

/** Each once, in order. */
export function workspacesOf(projects: readonly ProjectKey[]): number[] {
  return [...new Set(projects.map(({ ws }) => ws))];
}

/** Sums the comments of every assignee of a workspace anew, from those of the projects. Answers whether a sum was wrong. */
export async function recountAssigneesOf(cell: Database, ws: number): Promise<boolean> {
  const results = await cell.batch([assigneeCounters(ws), ...recountAssignees(ws), assigneeCounters(ws)]);
  return differs(results[0], results.at(-1));
}

const KEYS = new Set(['ws', 'member', 'project', 'day', 'month']);

/** Rows that hold zeros only say the same as no rows. */
function differs(before: unknown, after: unknown): boolean {
  const meaningful = (counters: unknown) =>
    (counters as Record<string, number>[]).filter((row) =>
      Object.entries(row).some(([column, value]) => !KEYS.has(column) && value !== 0),
    );
  return JSON.stringify(meaningful(before)) !== JSON.stringify(meaningful(after));
}
