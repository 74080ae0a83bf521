import type { Database } from '../kernel/database.ts';
import { countProjects, listProjects } from '../tasks/repair.queries.ts';
import { recountProject } from '../tasks/repair.ts';
import { rebuildSearch } from '../tasks/search-repair.ts';
import { dropStrayCounters, mendNotificationCounts, mendStorage } from './repair.queries.ts';

const PROJECTS_A_PAGE = 100;

/** Counts everything in a cell anew, project by project, while requests go on. Answers what was wrong. */
export async function mendCounters(cell: Database): Promise<string[]> {
  const mended: string[] = [];
  const [total] = await cell.batch([countProjects()]);
  for (let offset = 0; offset < total; offset += PROJECTS_A_PAGE) {
    const [projects] = await cell.batch([listProjects(PROJECTS_A_PAGE, offset)]);
    for (const project of projects) {
      const wrong = await recountProject(cell, project);
      const names = Object.entries(wrong ?? {}).filter(([, each]) => each);
      if (wrong) mended.push(`project ${project.id}: ${names.map(([name]) => name).join(', ')}`);
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

/** Builds the search index anew. Answers what was done. */
export async function mendSearch(cell: Database): Promise<string[]> {
  const { tasks } = await rebuildSearch(cell);
  return [`search index of ${tasks} tasks`];
}
