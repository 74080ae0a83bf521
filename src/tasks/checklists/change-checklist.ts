import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import type { ChecklistItem } from '../../schema/cell/checklists.ts';
import type { NewChecklistItems } from '../checklist-items.ts';
import { recordChecklistChanges } from '../write/tasks.write.ts';
import { checklistItemNotFoundError } from './checklists.policy.ts';
import { type ChecklistRow, saveChecklists } from './checklists.queries.ts';

export interface Checklist {
  lines: readonly ChecklistItem[];
  nextLine: number;
  version: number;
}

export const emptyChecklist: Checklist = { lines: [], nextLine: 1, version: 0 };

export function toChecklist({ lines, next_line, version }: ChecklistRow): Checklist {
  return { lines: JSON.parse(lines ?? '[]'), nextLine: next_line ?? 1, version: version ?? 0 };
}

export function replaceChecklistItems(before: Checklist, lines: readonly ChecklistItem[]): Checklist {
  const nextLine = Math.max(before.nextLine, ...lines.map(({ id }) => id + 1));
  return { lines, nextLine, version: before.version + 1 };
}

/** Items whose text is already in the checklist keep their ids. */
export function mergeChecklistItems(
  { lines, nextLine }: Checklist,
  wanted: NewChecklistItems,
): ChecklistItem[] {
  const known = Map.groupBy(lines, ({ text }) => text);
  let next = nextLine;
  return wanted.map(({ text, isDone }) => ({ id: known.get(text)?.shift()?.id ?? next++, text, isDone }));
}

export interface ChecklistEdit {
  task: number;
  before: Checklist;
  after: Checklist;
}

/** The batch must also assert that the checklists haven't changed since they were read. */
export function buildChecklistStatements(ctx: Context, edits: readonly ChecklistEdit[]): Statement<void>[] {
  if (edits.length === 0) return [];
  const changes = edits.map(({ task, before, after }) => ({
    task,
    line: findSingleItemChange(before.lines, after.lines),
    formerLines: before.lines,
    total: after.lines.length,
    done: after.lines.filter(({ isDone }) => isDone).length,
  }));
  return [
    ...saveChecklists(
      ctx.caller,
      edits.map(({ task, after }) => ({ task, ...after })),
    ),
    ...recordChecklistChanges(ctx, changes),
  ];
}

function findSingleItemChange(before: readonly ChecklistItem[], after: readonly ChecklistItem[]) {
  const [earlier, later] = [before, after].map(
    (lines) => new Map(lines.map((line) => [line.id, toMarkdownLine(line)])),
  );
  const ids = [...new Set([...before, ...after].map(({ id }) => id))];
  const changed = ids.filter((id) => earlier?.get(id) !== later?.get(id));
  if (changed.length !== 1) return null;
  const [id = 0] = changed;
  return { from: earlier?.get(id) ?? null, to: later?.get(id) ?? null };
}

export const toMarkdownLine = ({ text, isDone }: Omit<ChecklistItem, 'id'>) =>
  `[${isDone ? 'x' : ' '}] ${text}`;

export function requireChecklistItem(
  task: number,
  lines: readonly ChecklistItem[],
  id: number,
): ChecklistItem {
  const line = lines.find((each) => each.id === id);
  if (!line) throw checklistItemNotFoundError(task, id);
  return line;
}
