import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import type { ChecklistLine } from '../../schema/cell/checklists.ts';
import type { NewLines } from '../checklist-lines.ts';
import { recordChecklists } from '../write/tasks.write.ts';
import { lineNotFoundError } from './checklists.policy.ts';
import { type ChecklistRow, saveChecklists } from './checklists.queries.ts';

export interface Checklist {
  lines: readonly ChecklistLine[];
  nextLine: number;
  version: number;
}

export const emptyChecklist: Checklist = { lines: [], nextLine: 1, version: 0 };

export function toChecklist({ lines, next_line, version }: ChecklistRow): Checklist {
  return { lines: JSON.parse(lines ?? '[]'), nextLine: next_line ?? 1, version: version ?? 0 };
}

export function replaceLines(before: Checklist, lines: readonly ChecklistLine[]): Checklist {
  const nextLine = Math.max(before.nextLine, ...lines.map(({ id }) => id + 1));
  return { lines, nextLine, version: before.version + 1 };
}

/** Items with the same text keep their ids. */
export function mergeLines({ lines, nextLine }: Checklist, wanted: NewLines): ChecklistLine[] {
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
    line: describeChange(before.lines, after.lines),
    formerLines: before.lines,
    total: after.lines.length,
    done: after.lines.filter(({ isDone }) => isDone).length,
  }));
  return [
    ...saveChecklists(
      ctx.caller,
      edits.map(({ task, after }) => ({ task, ...after })),
    ),
    ...recordChecklists(ctx, changes),
  ];
}

function describeChange(before: readonly ChecklistLine[], after: readonly ChecklistLine[]) {
  const [earlier, later] = [before, after].map(
    (lines) => new Map(lines.map((line) => [line.id, toMarkdownLine(line)])),
  );
  const ids = [...new Set([...before, ...after].map(({ id }) => id))];
  const changed = ids.filter((id) => earlier?.get(id) !== later?.get(id));
  if (changed.length !== 1) return null;
  const [id = 0] = changed;
  return { from: earlier?.get(id) ?? null, to: later?.get(id) ?? null };
}

export const toMarkdownLine = ({ text, isDone }: Omit<ChecklistLine, 'id'>) =>
  `[${isDone ? 'x' : ' '}] ${text}`;

export function requireLine(task: number, lines: readonly ChecklistLine[], id: number): ChecklistLine {
  const line = lines.find((each) => each.id === id);
  if (!line) throw lineNotFoundError(task, id);
  return line;
}
