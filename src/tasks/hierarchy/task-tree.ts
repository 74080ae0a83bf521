import type { Caller } from '../../kernel/access/access.ts';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { SUBTASKS_MAX } from '../model/tasks.schema.ts';
import {
  DESCENDANTS_MAX,
  listTrees,
  TASK_LEVELS_MAX,
  TREE_ROWS_MAX,
  type TreeRow,
} from './hierarchy.queries.ts';

export interface TreePlacement {
  id?: number;
  project: number;
  parentId: number | null;
  /** For a new task, the number of descendants created with it. `levels` counts their levels and the task's own. */
  descendants?: number;
  levels?: number;
}

interface TaskWithParent {
  id?: number;
  parentId?: number | null | undefined;
}

export function listAffectedTrees(
  caller: Caller,
  items: readonly TaskWithParent[],
): Statement<TreeRow[]> | null {
  const parents = items.flatMap(({ parentId }) => (parentId == null ? [] : [parentId]));
  if (parents.length === 0) return null;
  const ids = items.flatMap(({ id, parentId }) => (id === undefined || parentId === undefined ? [] : [id]));
  return listTrees(caller, { ids, parents });
}

/**
 * Contains the trees of the tasks in a request. Applies each change, so that the next one is checked against the
 * result.
 */
export class TaskTree {
  readonly #rows: Map<number, TreeRow>;
  readonly #parents: Map<number, number | null>;
  readonly #subtasks = new Map<number, Set<number>>();
  #lastNew = 0;

  constructor(rows: readonly TreeRow[]) {
    if (rows.length >= TREE_ROWS_MAX) {
      throw invalidRequestError(
        `The parents in this request have ${TREE_ROWS_MAX} or more subtasks. Send fewer tasks at once.`,
        ({ field }) => field('parentId'),
      );
    }
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#parents = new Map(rows.map(({ id, parent }) => [id, parent]));
    for (const { id, parent } of rows) this.#listSubtasks(parent).add(id);
  }

  /** Throws 404 if the caller can't see the new parent, and 400 if that parent can't have this subtask. */
  placeTask({ id, project, parentId, descendants = 0, levels = 1 }: TreePlacement) {
    if (parentId === null) {
      if (id !== undefined) this.#move(id, null);
      return;
    }
    const parent = this.#rows.get(parentId);
    if (!parent || parent.project === null) throw taskNotFoundError(parentId, 'parentId');
    if (id !== undefined && this.#parents.get(id) === parentId) return;
    if (parent.project !== project) {
      throw invalidParentError(parentId, `belongs to project ${parent.project}, not ${project}`);
    }
    if (parent.archived === 1) throw invalidParentError(parentId, 'is archived. Restore it first');
    const above = this.#listSelfAndAncestors(parentId);
    if (id !== undefined && above.includes(id)) {
      throw invalidParentError(
        parentId,
        id === parentId ? 'is the task itself' : 'is a subtask of this task',
      );
    }
    const below = id === undefined ? descendants : this.#listDescendants(id).length;
    const height = id === undefined ? levels : this.#measureHeight(id);
    if (above.length + height > TASK_LEVELS_MAX) {
      throw invalidParentError(
        parentId,
        `can't have this subtask, because tasks can be nested at most ${TASK_LEVELS_MAX} levels deep`,
      );
    }
    if (this.#listSubtasks(parentId).size >= SUBTASKS_MAX) {
      throw invalidParentError(parentId, `already has ${SUBTASKS_MAX} subtasks, which is the maximum`);
    }
    const root = above.at(-1) ?? parentId;
    const isInTree = id !== undefined && this.#listSelfAndAncestors(id).includes(root);
    const added = isInTree ? 0 : 1 + below;
    if (added > 0 && this.#listDescendants(root).length + added > DESCENDANTS_MAX) {
      throw invalidParentError(
        parentId,
        `can't have this subtask, because task ${root} would have more than ${DESCENDANTS_MAX} subtasks, including nested ones`,
      );
    }
    if (id !== undefined) this.#move(id, parentId);
    else this.#addNewTask(parentId, descendants);
  }

  /** The new task's descendants count toward the limits of the tasks placed after it. */
  #addNewTask(parentId: number, descendants: number) {
    this.#lastNew -= 1;
    const task = this.#lastNew;
    this.#move(task, parentId);
    for (let added = 0; added < descendants; added += 1) {
      this.#lastNew -= 1;
      this.#move(this.#lastNew, task);
    }
  }

  /** Adds a task that doesn't exist yet, so that it can be a parent. */
  addTask(id: number, project: number) {
    this.#rows.set(id, { id, parent: null, project, archived: 0 });
  }

  setArchived(id: number, archived: number) {
    const row = this.#rows.get(id);
    if (row && row.archived !== null) this.#rows.set(id, { ...row, archived });
  }

  /** Moves a task without checking whether it can have this parent. */
  setParent(id: number, parent: number | null) {
    this.#move(id, parent);
  }

  #move(id: number, parent: number | null) {
    this.#listSubtasks(this.#parents.get(id) ?? null).delete(id);
    this.#parents.set(id, parent);
    this.#listSubtasks(parent).add(id);
  }

  #listSubtasks(parent: number | null): Set<number> {
    const found = this.#subtasks.get(parent ?? 0) ?? new Set();
    this.#subtasks.set(parent ?? 0, found);
    return found;
  }

  #listSelfAndAncestors(id: number): number[] {
    const chain = [id];
    for (let next = this.#parents.get(id); next && !chain.includes(next); next = this.#parents.get(next)) {
      chain.push(next);
    }
    return chain;
  }

  #listDescendants(id: number): number[] {
    const found = [...this.#listSubtasks(id)];
    for (const each of found) found.push(...this.#listSubtasks(each));
    return found;
  }

  #measureHeight(id: number): number {
    let level = [...this.#listSubtasks(id)];
    let height = 1;
    for (; level.length > 0; height += 1) level = level.flatMap((each) => [...this.#listSubtasks(each)]);
    return height;
  }
}

function invalidParentError(parentId: number, problem: string): AppError {
  return invalidRequestError(({ field }) => `${field('parentId')} ${parentId} ${problem}.`);
}
