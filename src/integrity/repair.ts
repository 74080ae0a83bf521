import { rebuildCommentSearch } from '../comments/comment-search-repair.ts';
import type { Database } from '../kernel/database.ts';
import { log } from '../kernel/log.ts';
import type { Scope } from '../kernel/request-scope.ts';
import {
  countMembers,
  countProjects,
  listMembers,
  listProjects,
  mendCommentPlaces,
} from '../tasks/repair.queries.ts';
import { recountAssigneesOf, recountProject, recountTotals, workspacesOf } from '../tasks/repair.ts';
import { rebuildSearch } from '../tasks/search-repair.ts';
import { settleMemberships } from '../workspaces/end-membership.ts';
import { dropStrayCounters, mendNotificationCounts, mendStorage } from './repair.queries.ts';

const ROWS_A_PAGE = 100;

/** Counts everything in a cell anew, project by project, while requests go on. Answers what was wrong. */
export async function mendCounters(cell: Database): Promise<string[]> {
  const mended: string[] = [];
  const workspaces = new Set<number>();
  const [projectCount, memberCount] = await cell.batch([countProjects(), countMembers()]);
  // First all of them, so that no project counts a comment that another one is about to take back.
  for (let offset = 0; offset < projectCount; offset += ROWS_A_PAGE) {
    const [projects] = await cell.batch([listProjects(ROWS_A_PAGE, offset)]);
    for (const project of projects) {
      const [moved] = await cell.batch([mendCommentPlaces(project)]);
      if (moved.length > 0) mended.push(`project ${project.id}: ${moved.length} comments lay elsewhere`);
    }
  }
  for (let offset = 0; offset < projectCount; offset += ROWS_A_PAGE) {
    const [projects] = await cell.batch([listProjects(ROWS_A_PAGE, offset)]);
    for (const project of projects) {
      const wrong = await recountProject(cell, project);
      const names = Object.entries(wrong ?? {}).filter(([, each]) => each);
      if (wrong) mended.push(`project ${project.id}: ${names.map(([name]) => name).join(', ')}`);
    }
    for (const ws of workspacesOf(projects)) workspaces.add(ws);
  }
  for (const ws of workspaces) {
    if (await recountAssigneesOf(cell, ws)) mended.push(`workspace ${ws}: comment_counts of assignees`);
  }
  for (let offset = 0; offset < memberCount; offset += ROWS_A_PAGE) {
    const [members] = await cell.batch([listMembers(ROWS_A_PAGE, offset)]);
    for (const member of members) {
      if (await recountTotals(cell, member)) mended.push(`totals of member ${member.no}`);
    }
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

/** Tells the directory which memberships ended or began again where a crash kept it from hearing. Answers which. */
export async function mendMemberships(directory: Database, cell: Database, now: number): Promise<string[]> {
  const settled = await settleMemberships(directory, cell, now);
  return settled.map(({ userId, workspaceId }) => `membership of ${userId} in ${workspaceId}`);
}

/** Every night, and said where there was anything to mend. */
export async function repairMemberships(scope: Scope): Promise<void> {
  for (const no of scope.config.cells.keys()) {
    const mended = await mendMemberships(scope.directory, scope.cell(no), scope.now);
    if (mended.length > 0) log('info', 'memberships.repaired', { cell: no, memberships: mended.length });
  }
}

/** Builds the search index anew. Answers what was done. */
export async function mendSearch(cell: Database): Promise<string[]> {
  const { tasks } = await rebuildSearch(cell);
  const { comments } = await rebuildCommentSearch(cell);
  return [`search index of ${tasks} tasks and ${comments} comments`];
}
