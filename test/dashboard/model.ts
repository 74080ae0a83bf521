import { taskStatuses } from '../../src/tasks/model/tasks.schema.ts';
import { getCell } from '../support/env.ts';
import type { Workspace } from '../support/world.ts';

/*
 * Recomputes the dashboard as docs/contract.md#dashboard and docs/contract.md#who-sees-what describe it, from the raw
 * rows and with plain loops. Uses no counters, no SQL except `SELECT *`, and nothing from the dashboard's own code.
 */

interface Task {
  id: number;
  project: number;
  assignee: number;
  status: number;
  archived: number;
  name: string;
  description: string | null;
  due: string;
  completed_on: string | null;
  estimated_hours: string | null;
  category: number | null;
  type: number | null;
}

export interface Member {
  no: number;
  user_id: string;
  name: string;
  role: string;
}

export interface Query {
  search?: string;
  from?: string;
  to?: string;
  teamId?: number[];
  assigneeId?: string[];
  taskId?: number;
  projectId?: number;
  projectStatus?: string;
  status?: string;
  localDate: string;
  sort?: string;
}

export async function readModel({ no, cell }: Pick<Workspace, 'no' | 'cell'>) {
  const readAll = async <T>(query: string) => (await getCell(cell).prepare(query).bind(no).all<T>()).results;
  const mine = 'IN (SELECT id FROM projects WHERE ws = ?1)';
  return {
    tasks: await readAll<Task>('SELECT * FROM tasks WHERE ws = ?1'),
    members: await readAll<Member>('SELECT * FROM members WHERE ws = ?1'),
    projects: await readAll<{ id: number; status: string }>('SELECT * FROM projects WHERE ws = ?1'),
    joins: await readAll<{ project: number; member: number }>(
      `SELECT * FROM project_members WHERE project ${mine}`,
    ),
    teams: await readAll<{ id: number; parent: number | null }>('SELECT * FROM teams WHERE ws = ?1'),
    teamMembers: await readAll<{ team: number; member: number }>(
      'SELECT * FROM team_members WHERE team IN (SELECT id FROM teams WHERE ws = ?1)',
    ),
    categories: await readAll<{ id: number; default_estimated_hours: number | null }>(
      'SELECT * FROM task_categories WHERE ws = ?1',
    ),
    types: await readAll<{ id: number; default_estimated_hours: number | null }>(
      'SELECT * FROM task_types WHERE ws = ?1',
    ),
  };
}
export type Model = Awaited<ReturnType<typeof readModel>>;

const NO_DATE = '9999-99-99';

function findTeamsBelow(model: Model, first: number[]): Set<number> {
  const found = new Set(first.filter((id) => model.teams.some((team) => team.id === id)));
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const team of model.teams) if (team.parent !== null && found.has(team.parent)) found.add(team.id);
  }
  return found;
}

function findTeamMembers(model: Model, teams: Set<number>): Set<number> {
  return new Set(model.teamMembers.filter((each) => teams.has(each.team)).map((each) => each.member));
}

export function computeScope(model: Model, caller: Member) {
  const everything = caller.role === 'owner' || caller.role === 'admin';
  const projects = new Set(
    everything
      ? model.projects.map((each) => each.id)
      : model.joins.filter((each) => each.member === caller.no).map((each) => each.project),
  );
  const people = new Set<number>();
  if (caller.role === 'lead') {
    const own = model.teamMembers.filter((each) => each.member === caller.no).map((each) => each.team);
    for (const member of findTeamMembers(model, findTeamsBelow(model, own))) people.add(member);
  }
  if (caller.role === 'lead' || caller.role === 'member') people.add(caller.no);
  return { everything, projects, people };
}

export function findFilteredPeople(model: Model, query: Query): Set<number> | null {
  if (!query.teamId && !query.assigneeId) return null;
  const inTeams = query.teamId && findTeamMembers(model, findTeamsBelow(model, query.teamId));
  return new Set(
    model.members
      .filter((each) => !inTeams || inTeams.has(each.no))
      .filter((each) => !query.assigneeId || query.assigneeId.includes(each.user_id))
      .map((each) => each.no),
  );
}

function matchesProjectFilter(model: Model, query: Query, id: number): boolean {
  if (query.projectId !== undefined && query.projectId !== id) return false;
  return (
    query.projectStatus === undefined ||
    model.projects.find((each) => each.id === id)?.status === query.projectStatus
  );
}

function filterTasks(model: Model, caller: Member, query: Query, openOnly: boolean): Task[] {
  const scope = computeScope(model, caller);
  const picked = findFilteredPeople(model, query);
  const text = query.search?.toLowerCase();
  return model.tasks.filter((task) => {
    if (task.archived) return false;
    if (!scope.projects.has(task.project) && !scope.people.has(task.assignee)) return false;
    if (picked && !picked.has(task.assignee)) return false;
    if (!matchesProjectFilter(model, query, task.project)) return false;
    if (query.taskId !== undefined && task.id !== query.taskId) return false;
    if (text && !task.name.toLowerCase().includes(text) && !stripTags(task.description).includes(text))
      return false;
    const status = taskStatuses[task.status] ?? '';
    if (query.status !== undefined && status !== query.status.replaceAll('-', '_')) return false;
    if (query.status === undefined && openOnly && status === 'completed') return false;
    if ((query.from || query.to) && task.due === NO_DATE) return false;
    return (!query.from || task.due >= query.from) && (!query.to || task.due <= query.to);
  });
}

function stripTags(html: string | null): string {
  return (html ?? '').replace(/<[^>]*>/g, '').toLowerCase();
}

function findSunday(date: string): string {
  const day = new Date(`${date}T12:00:00Z`);
  day.setUTCDate(day.getUTCDate() + ((7 - day.getUTCDay()) % 7));
  return day.toISOString().slice(0, 10);
}

export function computeStats(model: Model, caller: Member, query: Query) {
  const tasks = filterTasks(model, caller, query, true);
  const { projects } = computeScope(model, caller);
  const { search, from, to, teamId, assigneeId, taskId, status, localDate: today } = query;
  const isFiltered = [search, from, to, teamId, assigneeId, taskId, status].some(
    (value) => value !== undefined,
  );
  const counted = model.projects.filter(
    ({ id }) =>
      projects.has(id) &&
      matchesProjectFilter(model, query, id) &&
      (!isFiltered || tasks.some((task) => task.project === id)),
  );
  return {
    projects: counted.length,
    overdue: tasks.filter((task) => task.due < today).length,
    dueToday: tasks.filter((task) => task.due === today).length,
    dueThisWeek: tasks.filter((task) => task.due >= today && task.due <= findSunday(today)).length,
  };
}

export function computeList(model: Model, caller: Member, query: Query): number[] {
  const compareIds = (a: Task, b: Task) => a.id - b.id;
  const compareBy = (key: (task: Task) => string | number) => (a: Task, b: Task) =>
    key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : compareIds(a, b);
  const orders: Record<string, (a: Task, b: Task) => number> = {
    due: compareBy((task) => task.due),
    created: (a, b) => b.id - a.id,
    name: compareBy((task) => task.name.toLowerCase()),
    status: compareBy((task) => task.status),
  };
  return filterTasks(model, caller, query, false)
    .sort(orders[query.sort ?? 'due'])
    .map((task) => task.id);
}

function computeHours(model: Model, task: Task): number {
  if (task.estimated_hours !== null) return Number(task.estimated_hours);
  const type = model.types.find((each) => each.id === task.type)?.default_estimated_hours;
  const category = model.categories.find((each) => each.id === task.category)?.default_estimated_hours;
  return type ?? category ?? 1;
}

/** @param window the days whose capacity, due tasks and completed tasks are counted. */
export function computeWorkload(
  model: Model,
  caller: Member,
  query: Query,
  window: { from: string; to: string },
  capacityHours: number,
) {
  if (caller.role === 'client') return [];
  const scope = computeScope(model, caller);
  const picked = findFilteredPeople(model, query);
  return model.members
    .filter((each) => scope.everything || scope.people.has(each.no))
    .filter((each) => !picked || picked.has(each.no))
    .map((person) => {
      const tasks = model.tasks.filter(
        (task) =>
          task.assignee === person.no && !task.archived && matchesProjectFilter(model, query, task.project),
      );
      const countWithStatus = (name: string) => tasks.filter((task) => taskStatuses[task.status] === name);
      const open = tasks.filter((task) => taskStatuses[task.status] !== 'completed');
      const due = open.filter((task) => task.due >= window.from && task.due <= window.to);
      const sumHours = (list: Task[]) =>
        Math.round(list.reduce((total, task) => total + computeHours(model, task), 0) * 100) / 100;
      const groups = [
        open.filter((task) => task.due < query.localDate),
        due,
        countWithStatus('in_progress'),
        countWithStatus('internal_review'),
        countWithStatus('client_review'),
        countWithStatus('completed').filter(
          (task) =>
            task.completed_on !== null && task.completed_on >= window.from && task.completed_on <= window.to,
        ),
      ];
      return {
        id: person.user_id,
        capacityHours,
        plannedHours: sumHours(due),
        utilization:
          capacityHours === 0
            ? due.length > 0 && sumHours(due) > 0
              ? 100
              : 0
            : Math.floor((sumHours(due) / capacityHours) * 100 + 0.5),
        activeTasks: open.length,
        breakdown: groups.map((group) => [group.length, sumHours(group)]),
      };
    })
    .filter((each) => each.activeTasks > 0 || query.assigneeId !== undefined);
}
