import { toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { getCell } from '../../support/env.ts';
import type { Workspace } from '../../support/world.ts';
import {
  computeScope,
  findFilteredPeople,
  type Member,
  type Model,
  type Query,
  readModel,
} from '../model.ts';

/* Recomputes the comments of a dashboard from the raw rows, with plain loops. */

interface Comment {
  id: number;
  task: number;
  content: string;
  created_at: number;
}

export interface CommentModel extends Model {
  comments: Comment[];
  timezone: string;
}

export async function readCommentModel(
  world: Pick<Workspace, 'no' | 'cell'>,
  timezone: string,
): Promise<CommentModel> {
  const { results } = await getCell(world.cell)
    .prepare('SELECT id, task, content, created_at FROM comments WHERE ws = ?')
    .bind(world.no)
    .all<Comment>();
  return { ...(await readModel(world)), comments: results, timezone };
}

/** Returns comment ids, newest first. */
export function computeComments(
  model: CommentModel,
  caller: Member,
  query: Omit<Query, 'localDate' | 'sort'>,
): number[] {
  if (caller.role === 'client') return [];
  const scope = computeScope(model, caller);
  const picked = findFilteredPeople(model, { ...query, localDate: '' });
  const tasks = new Map(model.tasks.map((task) => [task.id, task]));
  const statuses = new Map(model.projects.map(({ id, status }) => [id, status]));
  const search = query.search?.normalize('NFC').toLowerCase();
  const isShown = ({ task: id, content, created_at }: Comment) => {
    const task = tasks.get(id);
    if (!task || task.archived) return false;
    if (!scope.projects.has(task.project) && !scope.people.has(task.assignee)) return false;
    if (picked && !picked.has(task.assignee)) return false;
    if (query.projectId !== undefined && query.projectId !== task.project) return false;
    if (query.projectStatus !== undefined && statuses.get(task.project) !== query.projectStatus) return false;
    if (search && !content.normalize('NFC').toLowerCase().includes(search)) return false;
    const day = toWallClock(created_at, model.timezone).date;
    return (!query.from || day >= query.from) && (!query.to || day <= query.to);
  };
  return model.comments
    .filter(isShown)
    .map(({ id }) => id)
    .sort((a, b) => b - a);
}
