import * as z from 'zod';
import { toChanges } from '../events/events.present.ts';
import { invalidRequest } from '../kernel/errors.ts';
import { operation } from '../kernel/operation.ts';
import { done, doneAgain, integerId } from '../kernel/schema.ts';
import { indexAfterAnswer } from '../search/index-waiting.ts';
import { taskName } from '../summaries/summaries.schema.ts';
import type { TaskChanges } from '../task-model/change.queries.ts';
import { listTaskStates } from '../task-model/many-states.queries.ts';
import { changesOf } from '../task-model/task-input.ts';
import { realChanges } from '../task-model/tasks.policy.ts';
import { assertStates } from '../task-model/tasks.queries.ts';
import { taskUpdateInput } from '../task-model/tasks.schema.ts';
import { changeEach } from '../task-write/tasks.write.ts';
import { assertMembers, listMembers } from './edits.queries.ts';
import { assertLastChanges, listOwnLastChanges } from './undo.queries.ts';

export const undoChangesOfTasks = operation(
  {
    name: 'undoChangesOfTasks',
    summary: 'Take back what the caller has just changed of tasks, where nobody has changed them since',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      ids: z.array(integerId).min(1).max(100),
      /** When they were changed, in milliseconds. */
      since: z.int(),
    }),
    output: done,
    repeat: doneAgain,
  },
  async (ctx, { ids, since }) => {
    const { caller, db } = ctx;
    const [found] = await db.batch([listOwnLastChanges(caller, ids, since)]);
    const changed = found.map(({ task, changes }) => ({ id: task ?? 0, was: wasOf(changes) }));
    const people = changed.flatMap(({ was }) => (was.assignee ? [was.assignee.id] : []));
    const [tasks, members] = await db.batch([
      listTaskStates(
        caller,
        changed.map(({ id }) => id),
      ),
      listMembers(caller, people),
    ]);
    const edits = tasks.flatMap((task) => {
      const { was } = changed.find(({ id }) => id === task.id) ?? {};
      const changes = was ? realChanges(task, columnsOf(was, members)) : {};
      return Object.keys(changes).length > 0 ? [{ task, changes }] : [];
    });
    if (edits.length === 0) throw invalidRequest('It was changed again since, so it stays as it is.');
    const writes = [
      assertLastChanges(caller, found),
      assertMembers(
        caller,
        members.map(({ no }) => no),
      ),
      assertStates(
        caller,
        edits.map(({ task }) => task),
      ),
      ...changeEach(ctx, edits),
    ];
    await db.batch(writes);
    indexAfterAnswer(ctx, writes);
    return { success: true as const };
  },
);

/** The history does not hold long texts, so they cannot be put back. */
const was = z.object({
  ...taskUpdateInput.omit({ id: true, description: true, assigneeId: true }).shape,
  // That of a copy may be longer than anybody may type.
  name: taskName.optional(),
  assignee: z.object({ id: z.string() }).nullable().optional(),
  isArchived: z.boolean().optional(),
});
type Was = z.output<typeof was>;

function wasOf(changes: string): Was {
  const told = Object.entries(toChanges(changes));
  return was.parse(
    Object.fromEntries(told.flatMap(([field, change]) => (change ? [[field, change.from]] : []))),
  );
}

/** The columns as they were. A person who has left the workspace is not assigned again. */
function columnsOf(
  { assignee, isArchived, ...fields }: Was,
  members: readonly { id: string; no: number }[],
): TaskChanges {
  const number = members.find(({ id }) => id === assignee?.id)?.no;
  const isAssigned = assignee === null || number !== undefined;
  return {
    ...changesOf({ id: 0, ...fields, ...(isAssigned && { assigneeId: assignee?.id ?? null }) }, number ?? 0),
    ...(isArchived !== undefined && { archived: isArchived ? 1 : 0 }),
  };
}
