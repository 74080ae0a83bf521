import { getCell } from '../support/env.ts';
import type { Workspace } from '../support/world.ts';

const inTask = 'EXISTS (SELECT 1 FROM tasks t WHERE t.id = x.task AND t.ws = ?1)';
const inProject = 'EXISTS (SELECT 1 FROM projects p WHERE p.id = x.project AND p.ws = ?1)';
const counts: Readonly<Record<string, string>> = {
  workspace: 'workspaces x WHERE x.no = ?1',
  people: 'members x WHERE x.ws = ?1',
  teams: 'teams x WHERE x.ws = ?1',
  'team-members': 'team_members x WHERE (SELECT ws FROM teams WHERE id = x.team) = ?1',
  categories: 'task_categories x WHERE x.ws = ?1',
  types: 'task_types x WHERE x.ws = ?1',
  labels: 'labels x WHERE x.ws = ?1',
  'custom-fields': 'custom_fields x WHERE x.ws = ?1 AND x.deleted_at IS NULL',
  projects: 'projects x WHERE x.ws = ?1',
  'project-members': `project_members x WHERE ${inProject}`,
  tasks: 'tasks x WHERE x.ws = ?1',
  relations: `task_relations x WHERE x.source IN (SELECT id FROM tasks WHERE ws = ?1)
    AND x.target IN (SELECT id FROM tasks WHERE ws = ?1)`,
  comments: `comments x WHERE ${inTask}`,
  'time-entries': `time_entries x WHERE ${inTask}`,
  meetings: `meetings x WHERE ${inProject}`,
  'saved-filters': 'saved_filters x WHERE x.ws = ?1 AND x.is_shared = 1',
  templates: 'templates x WHERE x.ws = ?1',
  attachments: `attachments x WHERE (x.task IS NULL OR ${inTask}) AND (x.project IS NULL OR ${inProject}) AND x.ws = ?1`,
  history: 'events x WHERE x.ws = ?1 AND (x.reader IS NULL OR x.reader = ?2)',
};

/** Counts what an export by this member has to contain, without code of the app. */
export async function countRows({ cell, no }: Pick<Workspace, 'cell' | 'no'>, member: number) {
  const db = getCell(cell);
  const counted: Record<string, number> = {};
  for (const [table, from] of Object.entries(counts)) {
    const statement = db.prepare(`SELECT count(*) AS n FROM ${from}`);
    const bound = from.includes('?2') ? statement.bind(no, member) : statement.bind(no);
    counted[table] = (await bound.first<number>('n')) ?? 0;
  }
  return counted;
}
