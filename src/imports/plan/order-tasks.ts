import { DESCENDANTS_MAX, TASK_LEVELS_MAX } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { SUBTASKS_MAX } from '../../tasks/model/tasks.schema.ts';

interface TaskToOrder {
  readonly createdAt: number | null;
}

export type ParentProblem = 'cycle' | 'deep' | 'many';

export interface ValidTree {
  readonly parents: readonly (number | null)[];
  /** Why a task can't have the parent that the source names, by the task's index. */
  readonly problems: ReadonlyMap<number, ParentProblem>;
}

export function buildValidTree(wanted: readonly (number | null)[]): ValidTree {
  const parents: (number | null)[] = wanted.map(() => null);
  const levels = wanted.map(() => 1);
  const subtasks = wanted.map(() => 0);
  const below = wanted.map(() => 0);
  const problems = new Map<number, ParentProblem>();
  const cycles = findCycles(wanted);
  for (const index of listParentsFirst(wanted, cycles)) {
    let parent = wanted[index] ?? null;
    if (parent === null) continue;
    if (cycles.has(index)) {
      problems.set(index, 'cycle');
      continue;
    }
    while (parent !== null && (levels[parent] ?? 1) >= TASK_LEVELS_MAX) {
      parent = parents[parent] ?? null;
      problems.set(index, 'deep');
    }
    if (parent === null) continue;
    const root = findRoot(parents, parent);
    if ((subtasks[parent] ?? 0) >= SUBTASKS_MAX || (below[root] ?? 0) >= DESCENDANTS_MAX) {
      problems.set(index, 'many');
      continue;
    }
    parents[index] = parent;
    levels[index] = (levels[parent] ?? 1) + 1;
    subtasks[parent] = (subtasks[parent] ?? 0) + 1;
    below[root] = (below[root] ?? 0) + 1;
  }
  return { parents, problems };
}

function findRoot(parents: readonly (number | null)[], start: number): number {
  let root = start;
  for (let next = parents[root]; next != null; next = parents[root]) root = next;
  return root;
}

function findCycles(wanted: readonly (number | null)[]): ReadonlySet<number> {
  const cycles = new Set<number>();
  const states = new Uint8Array(wanted.length);
  for (let start = 0; start < wanted.length; start += 1) {
    const path: number[] = [];
    let at: number | null = start;
    while (at !== null && states[at] === 0) {
      states[at] = 1;
      path.push(at);
      at = wanted[at] ?? null;
    }
    if (at !== null && states[at] === 1) for (const each of path.slice(path.indexOf(at))) cycles.add(each);
    for (const each of path) states[each] = 2;
  }
  return cycles;
}

function listParentsFirst(wanted: readonly (number | null)[], cycles: ReadonlySet<number>): number[] {
  const listed = new Set<number>();
  for (let start = 0; start < wanted.length; start += 1) {
    const path: number[] = [];
    let at: number | null = start;
    while (at !== null && !listed.has(at)) {
      path.push(at);
      if (cycles.has(at)) break;
      at = wanted[at] ?? null;
    }
    for (const each of path.reverse()) listed.add(each);
  }
  return [...listed];
}

/**
 * Lists show new tasks first, so older tasks are created first. Parents are created before their subtasks. Without
 * creation times, the file's first row is created last, and subtasks keep the file's order.
 */
export function orderTasks(tasks: readonly TaskToOrder[], parents: readonly (number | null)[]): number[] {
  const indexes = tasks.map((_, index) => index);
  const getTime = (index: number) => tasks[index]?.createdAt ?? 0;
  const ordered = new Set<number>();
  if (tasks.some(({ createdAt }) => createdAt !== null)) {
    const addAfterParent = (index: number) => {
      const parent = parents[index] ?? null;
      if (parent !== null && !ordered.has(parent)) addAfterParent(parent);
      ordered.add(index);
    };
    for (const index of indexes.toSorted((one, other) => getTime(one) - getTime(other)))
      addAfterParent(index);
    return [...ordered];
  }
  const subtasks = Map.groupBy(indexes, (index) => parents[index] ?? null);
  const addWithSubtasks = (index: number) => {
    ordered.add(index);
    for (const each of subtasks.get(index) ?? []) addWithSubtasks(each);
  };
  for (const root of (subtasks.get(null) ?? []).toReversed()) addWithSubtasks(root);
  return [...ordered];
}
