import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { successOutput, successRepeat } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import type { ChecklistLine } from '../../schema/cell/checklists.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordChecklist } from '../write/tasks.write.ts';
import {
  lineNotFoundError,
  repeatedLineError,
  requireRoomForLine,
  unknownLineError,
} from './checklists.policy.ts';
import {
  assertChecklistUnchanged,
  type ChecklistRow,
  findChecklist,
  saveChecklist,
} from './checklists.queries.ts';
import {
  checklist,
  checklistInput,
  checklistLine,
  lineKeyInput,
  lineUpdateInput,
  newLineInput,
} from './checklists.schema.ts';

export const getChecklist = defineOperation(
  {
    name: 'getChecklist',
    summary: "Get a task's checklist",
    description: 'The response has an ETag for the If-Match header of a change.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: checklist,
    answersVersion: true,
  },
  async (ctx, { id }) => {
    const { lines, version } = await readChecklist(ctx, id);
    return new OperationResponse({ items: [...lines] }, { version });
  },
);

export const replaceChecklist = defineOperation(
  {
    name: 'replaceChecklist',
    summary: 'Replace the checklist of a task',
    description: 'Lines keep their ids if you send them. Lines that you leave out are deleted.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: checklistInput,
    output: checklist,
    answersVersion: true,
    precondition: async (ctx, id) => {
      const { version } = await readChecklist(ctx, id);
      return { version, unchanged: assertChecklistUnchanged(ctx.caller, id, version) };
    },
  },
  async (ctx, { id, items }) => {
    const { lines, version } = await changeChecklist(ctx, id, (before) => {
      requireKnownLines(before.lines, items);
      let { nextLine } = before;
      return items.map(({ id: line, text, isDone }) => ({ id: line ?? nextLine++, text, isDone }));
    });
    return new OperationResponse({ items: [...lines] }, { version });
  },
);

export const addChecklistLine = defineOperation(
  {
    name: 'addChecklistLine',
    summary: 'Add a line to the checklist of a task',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: newLineInput,
    output: checklistLine,
    repeat: {
      answer: async (ctx, { id, text }) => {
        const { lines, nextLine } = await readChecklist(ctx, id);
        const added = lines.findLast((line) => line.text === text);
        if (!added) throw lineNotFoundError(id, nextLine - 1);
        return added;
      },
    },
  },
  async (ctx, { id, text, isDone, position }) => {
    const { lines, nextLine } = await changeChecklist(ctx, id, (before) => {
      requireRoomForLine(before.lines);
      const line = { id: before.nextLine, text, isDone };
      return before.lines.toSpliced(position ?? before.lines.length, 0, line);
    });
    return requireLine(id, lines, nextLine - 1);
  },
);

export const updateChecklistLine = defineOperation(
  {
    name: 'updateChecklistLine',
    summary: 'Change, tick or move a line of a checklist',
    description: "Omitted fields don't change.",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: lineUpdateInput,
    output: checklistLine,
  },
  async (ctx, { id, itemId, position, ...wanted }) => {
    const madeBy = { type: 'task.updated', id, changes: ['checklist'] };
    const { lines } = await changeChecklist(ctx, id, (before) => {
      const line = requireLine(id, before.lines, itemId);
      const current = { text: line.text, isDone: line.isDone, position: before.lines.indexOf(line) };
      requireCurrentSnapshot(ctx.shown, { ...wanted, position }, current, madeBy);
      const { text = line.text, isDone = line.isDone } = wanted;
      const changed = { id: itemId, text, isDone };
      if (position === undefined) return before.lines.map((each) => (each.id === itemId ? changed : each));
      return before.lines.filter((each) => each.id !== itemId).toSpliced(position, 0, changed);
    });
    return requireLine(id, lines, itemId);
  },
);

export const deleteChecklistLine = defineOperation(
  {
    name: 'deleteChecklistLine',
    summary: 'Delete a line of a checklist',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: lineKeyInput,
    output: successOutput,
    repeat: successRepeat,
  },
  async (ctx, { id, itemId }) => {
    await changeChecklist(ctx, id, ({ lines }) => {
      requireLine(id, lines, itemId);
      return lines.filter((line) => line.id !== itemId);
    });
    return { success: true as const };
  },
);

interface Checklist {
  lines: readonly ChecklistLine[];
  nextLine: number;
  version: number;
}

async function readChecklist({ db, caller }: Context, task: number): Promise<Checklist> {
  const [row] = await db.batch([findChecklist(caller, task)]);
  if (!row) throw taskNotFoundError(task);
  return toChecklist(row);
}

function toChecklist({ lines, next_line, version }: ChecklistRow): Checklist {
  return { lines: JSON.parse(lines ?? '[]'), nextLine: next_line ?? 1, version: version ?? 0 };
}

/** Writes nothing if `plan` returns equal lines. The batch aborts if the checklist has changed since it was read. */
async function changeChecklist(
  ctx: Context,
  task: number,
  plan: (before: Checklist) => readonly ChecklistLine[],
): Promise<Checklist> {
  const { db, caller } = ctx;
  const [row] = await db.batch([findChecklist(caller, task)]);
  if (!row) throw taskNotFoundError(task);
  requireUnarchived({ id: task, archived: row.archived });
  const before = toChecklist(row);
  const lines = plan(before);
  if (JSON.stringify(lines) === JSON.stringify(before.lines)) return before;
  const nextLine = Math.max(before.nextLine, ...lines.map(({ id }) => id + 1));
  const after = { lines, nextLine, version: before.version + 1 };
  await db.batch([
    assertTaskWritable(caller, task),
    assertChecklistUnchanged(caller, task, before.version),
    saveChecklist(caller, task, after),
    ...recordChecklist(ctx, task, {
      line: describeChange(before.lines, lines),
      total: lines.length,
      done: lines.filter(({ isDone }) => isDone).length,
    }),
  ]);
  return after;
}

/** Returns the line that differs, as Markdown. Returns null if several lines or only their order differ. */
function describeChange(before: readonly ChecklistLine[], after: readonly ChecklistLine[]) {
  const [earlier, later] = [before, after].map(
    (lines) => new Map(lines.map((line) => [line.id, toMarkdown(line)])),
  );
  const ids = [...new Set([...before, ...after].map(({ id }) => id))];
  const changed = ids.filter((id) => earlier?.get(id) !== later?.get(id));
  if (changed.length !== 1) return null;
  const [id = 0] = changed;
  return { from: earlier?.get(id) ?? null, to: later?.get(id) ?? null };
}

const toMarkdown = ({ text, isDone }: ChecklistLine) => `[${isDone ? 'x' : ' '}] ${text}`;

function requireLine(task: number, lines: readonly ChecklistLine[], id: number): ChecklistLine {
  const line = lines.find((each) => each.id === id);
  if (!line) throw lineNotFoundError(task, id);
  return line;
}

function requireKnownLines(lines: readonly ChecklistLine[], items: readonly { id?: number | undefined }[]) {
  const known = new Set(lines.map(({ id }) => id));
  const sent = new Set<number>();
  for (const [index, { id }] of items.entries()) {
    if (id === undefined) continue;
    if (!known.has(id)) throw unknownLineError(index, id);
    if (sent.has(id)) throw repeatedLineError(index, id);
    sent.add(id);
  }
}
