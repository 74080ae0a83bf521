import type { Database } from '../kernel/database.ts';
import { log } from '../kernel/log.ts';
import type { Scope } from '../kernel/request-scope.ts';
import {
  countProjects,
  dueDays,
  followCounters,
  listProjects,
  mendTaskTotals,
  type ProjectKey,
  recount,
  taskCounters,
} from './repair.queries.ts';

/** Of all cells: a run stays below the platform's 1,000 statements, and the next nights take the next projects. */
const PROJECTS_A_RUN = 60;
const DAY_MS = 86_400_000;

/** Counts a share of every cell's projects anew and logs each counter that was wrong. Safe to run at any time, twice. */
export async function repairCounters(scope: Scope): Promise<void> {
  const turn = Math.floor(scope.now / DAY_MS);
  const share = Math.max(1, Math.floor(PROJECTS_A_RUN / scope.config.cells.size));
  for (const no of scope.config.cells.keys()) {
    const cell = scope.cell(no);
    const [total] = await cell.batch([countProjects()]);
    const turns = Math.max(1, Math.ceil(total / share));
    const [projects] = await cell.batch([listProjects(share, (turn % turns) * share)]);
    for (const project of projects) {
      const wrong = await recountProject(cell, project);
      if (wrong) log('error', 'counters.repaired', { cell: no, project: project.id, ...wrong });
    }
  }
}

/** Which counters of a project were wrong, and of how many tasks the own ones. */
interface Wrong {
  task_counts: boolean;
  follow_counts: boolean;
  due_days: boolean;
  tasks: number;
}

/** Counts a project anew in one transaction, beside whatever else is going on. Null where nothing was wrong. */
export async function recountProject(cell: Database, project: ProjectKey): Promise<Wrong | null> {
  const counters = () => [taskCounters(project), followCounters(project), dueDays(project)] as const;
  const results = await cell.batch([
    ...counters(),
    ...recount(project),
    ...counters(),
    mendTaskTotals(project),
  ] as const);
  const [tasksBefore, followsBefore, daysBefore] = results;
  const [tasksAfter, followsAfter, daysAfter, mended] = results.slice(-4) as unknown[];
  const wrong = {
    task_counts: differs(tasksBefore, tasksAfter),
    follow_counts: differs(followsBefore, followsAfter),
    due_days: differs(daysBefore, daysAfter),
    tasks: (mended as unknown[]).length,
  };
  return Object.values(wrong).some(Boolean) ? wrong : null;
}

/** Rows that hold zeros only say the same as no rows. */
function differs(before: unknown, after: unknown): boolean {
  const meaningful = (counters: unknown) =>
    (counters as Record<string, number>[]).filter((row) =>
      Object.entries(row).some(([column, value]) => /^(c|past|week|s)\d+$/.test(column) && value !== 0),
    );
  return JSON.stringify(meaningful(before)) !== JSON.stringify(meaningful(after));
}
