import * as z from 'zod';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { rejectUnless } from '../../kernel/sql/database.ts';
import { listTaskStates } from '../model/bulk-states.queries.ts';
import { recountOpenBlockers } from '../model/relations.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged } from '../model/tasks.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordRelationChanges } from '../write/tasks.write.ts';
import {
  areBlockersAllowed,
  assertBlockersUnchanged,
  type BlockerPair,
  type BlockerRow,
  deleteBlockers,
  insertBlockers,
  listBlockers,
} from './blockers.queries.ts';
import { RELATIONS_MAX } from './relations.schema.ts';

const TASKS_MAX = 50;
const BLOCKERS_MAX = 20;

export const blockerIds = z.array(integerId).max(BLOCKERS_MAX);

const setSpec = { access: 'tasks:write', capability: 'seeTasks', output: successOutput } as const;

export const checkBlockers = defineOperation(
  {
    ...setSpec,
    name: 'checkBlockers',
    summary: 'Check whether you can see the given tasks',
    effect: 'read',
    input: z.strictObject({ blockedBy: z.array(integerId).max(TASKS_MAX * BLOCKERS_MAX) }),
  },
  async ({ db, caller }, { blockedBy }) => {
    const [found] = await db.batch([listTaskStates(caller, blockedBy, 0)]);
    requireTasksFound(blockedBy, found, 'blockedBy');
    return { success: true as const };
  },
);

/** Keeps the blockers that the caller can't see. */
export const setBlockers = defineOperation(
  {
    ...setSpec,
    name: 'setBlockers',
    summary: 'Replace the blockers of up to 50 tasks',
    effect: 'write',
    input: z.strictObject({
      tasks: z
        .array(z.strictObject({ id: integerId, blockedBy: blockerIds }))
        .min(1)
        .max(TASKS_MAX),
    }),
    replay: successReplay,
  },
  async (ctx, { tasks }) => {
    const { db, caller } = ctx;
    const ids = [...new Set(tasks.map(({ id }) => id))];
    const blockers = [...new Set(tasks.flatMap(({ blockedBy }) => blockedBy))];
    const [states, found, before] = await db.batch([
      listTaskStates(caller, ids, 0),
      listTaskStates(caller, blockers, 0),
      listBlockers(caller, ids),
    ]);
    requireTasksFound(ids, states);
    requireTasksFound(blockers, found, 'blockedBy');
    for (const state of states) requireUnarchived(state);
    const plans = tasks.map((task) => planBlockers(task, before)).filter(({ changes }) => changes.length > 0);
    if (plans.length === 0) return { success: true as const };
    const added = plans.flatMap((plan) => plan.added);
    const removed = plans.flatMap((plan) => plan.removed);
    await db.batch([
      assertTasksUnchanged(caller, [...states, ...found]),
      assertBlockersUnchanged(caller, ids, before),
      deleteBlockers(caller, removed),
      insertBlockers(caller, added),
      rejectUnless(areBlockersAllowed(caller, added), blockersNotAllowedError()),
      recountOpenBlockers(caller.workspace, ids),
      ...recordRelationChanges(ctx, plans),
    ]);
    return { success: true as const };
  },
);

interface BlockersInput {
  id: number;
  blockedBy: readonly number[];
}

function planBlockers({ id, blockedBy }: BlockersInput, before: readonly BlockerRow[]) {
  if (blockedBy.includes(id)) {
    throw invalidRequestError(
      ({ field }) => `${field('blockedBy')} of task ${id} must not contain the task itself.`,
    );
  }
  const own = before.filter(({ target }) => target === id);
  const toPair = (source: number): BlockerPair => [source, id];
  const added = [...new Set(blockedBy)].filter((source) => !own.some((each) => each.source === source));
  const removed = own.flatMap(({ source, is_visible }) =>
    is_visible === 1 && !blockedBy.includes(source) ? [source] : [],
  );
  return {
    task: id,
    added: added.map(toPair),
    removed: removed.map(toPair),
    changes: [
      ...added.map((source) => ({ from: null, to: toBlockedByRelation(source) })),
      ...removed.map((source) => ({ from: toBlockedByRelation(source), to: null })),
    ],
  };
}

const toBlockedByRelation = (id: number) => ({ type: 'blocked_by', task: { id } });

function requireTasksFound(ids: readonly number[], found: readonly { id: number }[], field?: string) {
  const known = new Set(found.map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw taskNotFoundError(missing, field);
}

function blockersNotAllowedError(): AppError {
  return invalidRequestError(
    ({ field }) =>
      `${field('blockedBy')} must not create a cycle of tasks that block each other, or give a task more than ${RELATIONS_MAX} relations.`,
  );
}
