import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import type { ChecklistItem } from '../../schema/cell/checklists.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import {
  buildChecklistStatements,
  type Checklist,
  replaceChecklistItems,
  requireChecklistItem,
  toChecklist,
} from './change-checklist.ts';
import {
  repeatedChecklistItemError,
  requireRoomForChecklistItem,
  unknownChecklistItemError,
} from './checklists.policy.ts';
import { assertChecklistsUnchanged, findChecklist } from './checklists.queries.ts';
import {
  checklist,
  checklistInput,
  checklistItem,
  checklistItemKeyInput,
  checklistItemUpdateInput,
  newChecklistItemInput,
} from './checklists.schema.ts';

export const getChecklist = defineOperation(
  {
    name: 'getChecklist',
    summary: "Get a task's checklist",
    description:
      "To avoid overwriting other people's changes, send the ETag as If-Match when you change the checklist.",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: checklist,
    returnsVersion: true,
  },
  async (ctx, { id }) => {
    const { lines, version } = await readChecklist(ctx, id);
    return new OperationResponse({ items: [...lines] }, { version });
  },
);

export const replaceChecklist = defineOperation(
  {
    name: 'replaceChecklist',
    summary: "Replace a task's checklist",
    description: 'Send the ids of the items that you keep. Items that you leave out are deleted.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: checklistInput,
    output: checklist,
    returnsVersion: true,
    precondition: async (ctx, id) => {
      const { version } = await readChecklist(ctx, id);
      return { version, unchanged: assertChecklistsUnchanged(ctx.caller, [[id, version]]) };
    },
  },
  async (ctx, { id, items }) => {
    const { lines, version } = await changeChecklist(ctx, id, (before) => {
      requireKnownItems(before.lines, items);
      let { nextLine } = before;
      return items.map(({ id: line, text, isDone }) => ({ id: line ?? nextLine++, text, isDone }));
    });
    return new OperationResponse({ items: [...lines] }, { version });
  },
);

export const addChecklistLine = defineOperation(
  {
    name: 'addChecklistLine',
    summary: 'Add a checklist item to a task',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: newChecklistItemInput,
    output: checklistItem,
    replay: {
      rebuild: async (ctx, { id }, line) => {
        const { lines } = await readChecklist(ctx, id);
        return requireChecklistItem(id, lines, Number(line));
      },
    },
  },
  async (ctx, { id, text, isDone, position }) => {
    const { lines, nextLine } = await changeChecklist(ctx, id, (before) => {
      requireRoomForChecklistItem(before.lines);
      ctx.db.setKeyEntity(String(before.nextLine));
      const line = { id: before.nextLine, text, isDone };
      return before.lines.toSpliced(position ?? before.lines.length, 0, line);
    });
    return requireChecklistItem(id, lines, nextLine - 1);
  },
);

export const updateChecklistLine = defineOperation(
  {
    name: 'updateChecklistLine',
    summary: 'Change, check or move a checklist item',
    description: "Omitted fields don't change.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: checklistItemUpdateInput,
    output: checklistItem,
  },
  async (ctx, { id, itemId, position, ...wanted }) => {
    const madeBy = { type: 'task.updated', id, changes: ['checklist'] };
    const { lines } = await changeChecklist(ctx, id, (before) => {
      const line = requireChecklistItem(id, before.lines, itemId);
      const current = { text: line.text, isDone: line.isDone, position: before.lines.indexOf(line) };
      requireCurrentSnapshot(ctx.snapshot, { ...wanted, position }, current, madeBy);
      const { text = line.text, isDone = line.isDone } = wanted;
      const changed = { id: itemId, text, isDone };
      if (position === undefined) return before.lines.map((each) => (each.id === itemId ? changed : each));
      return before.lines.filter((each) => each.id !== itemId).toSpliced(position, 0, changed);
    });
    return requireChecklistItem(id, lines, itemId);
  },
);

export const deleteChecklistLine = defineOperation(
  {
    name: 'deleteChecklistLine',
    summary: 'Delete a checklist item',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: checklistItemKeyInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, itemId }) => {
    await changeChecklist(ctx, id, ({ lines }) => {
      requireChecklistItem(id, lines, itemId);
      return lines.filter((line) => line.id !== itemId);
    });
    return { success: true as const };
  },
);

async function readChecklist({ db, caller }: Context, task: number): Promise<Checklist> {
  const [row] = await db.batch([findChecklist(caller, task)]);
  if (!row) throw taskNotFoundError(task);
  return toChecklist(row);
}

/** Writes nothing if `plan` returns the same items. Aborts the batch if the checklist has changed since it was read. */
async function changeChecklist(
  ctx: Context,
  task: number,
  plan: (before: Checklist) => readonly ChecklistItem[],
): Promise<Checklist> {
  const { db, caller } = ctx;
  const [row] = await db.batch([findChecklist(caller, task)]);
  if (!row) throw taskNotFoundError(task);
  requireUnarchived({ id: task, archived: row.archived });
  const before = toChecklist(row);
  const lines = plan(before);
  if (JSON.stringify(lines) === JSON.stringify(before.lines)) return before;
  const after = replaceChecklistItems(before, lines);
  await db.batch([
    assertTaskWritable(caller, task),
    assertChecklistsUnchanged(caller, [[task, before.version]]),
    ...buildChecklistStatements(ctx, [{ task, before, after }]),
  ]);
  return after;
}

function requireKnownItems(lines: readonly ChecklistItem[], items: readonly { id?: number | undefined }[]) {
  const known = new Set(lines.map(({ id }) => id));
  const sent = new Set<number>();
  for (const [index, { id }] of items.entries()) {
    if (id === undefined) continue;
    if (!known.has(id)) throw unknownChecklistItemError(index, id);
    if (sent.has(id)) throw repeatedChecklistItemError(index, id);
    sent.add(id);
  }
}
