import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { toHeaderKey } from '../sources/headers.ts';
import type { ColumnUse, Source, SourceNote } from '../sources/source.ts';
import { fitTree, orderTasks, type ParentProblem } from './order-tasks.ts';
import { type DateOrder, findDateOrder } from './read-date.ts';
import { type PlanContext, type ReadTask, readTask, type Word } from './read-task.ts';

export interface PlannedTask extends ReadTask {
  /** Identifies the task in later imports of the same source. */
  readonly key: string;
  readonly row: number;
  /** The position of the parent in the plan's tasks. It always precedes the task. */
  readonly parent: number | null;
}

interface ColumnReport {
  readonly header: string;
  readonly use: ColumnUse;
  filled: number;
  readonly counts: Record<Word, number>;
  /** The first values. */
  readonly examples: string[];
}

interface ValueReport {
  readonly column: number;
  readonly text: string;
  count: number;
  /** A status, a priority or the number of a member. Null if the value isn't recognized. */
  readonly means: string | number | null;
}

export interface ImportPlan {
  /** In the order in which they are created. */
  readonly tasks: readonly PlannedTask[];
  readonly columns: readonly ColumnReport[];
  readonly values: readonly ValueReport[];
  readonly notes: readonly SourceNote[];
}

export interface PlanOptions extends Omit<PlanContext, 'order' | 'note' | 'see'> {
  /** Identifies the file, for rows without an id. */
  readonly fileKey: string;
  readonly dateOrder: DateOrder | undefined;
}

const datedUses: readonly ColumnUse[] = ['startDate', 'deadline', 'createdAt', 'completedAt'];
const EXAMPLES_MAX = 3;
/** Longer ids are hashed. */
const KEY_CHARACTERS_MAX = 200;

const parentNotes: Readonly<Record<ParentProblem | 'missing' | 'ambiguous', string>> = {
  ring: 'The parent is the task itself or one of its subtasks, so the task has no parent.',
  deep: 'The parent is too deep, so the task is a subtask of a task above it.',
  many: 'The parent has too many subtasks, so the task has no parent.',
  missing: "The parent isn't in the file, so the task has no parent.",
  ambiguous: 'Several tasks are called like the parent, so the task has no parent.',
};

/** The preview and the import use the same plan, so they report the same. */
export function planImport(source: Source, options: PlanOptions): ImportPlan {
  const notes = [...source.notes];
  const values = new Map<string, ValueReport>();
  const context: PlanContext = {
    ...options,
    order: options.dateOrder ?? chooseDateOrder(source, notes),
    note: (row, text) => notes.push({ row, text }),
    see(column, text, means) {
      const key = `${column} ${text}`;
      const seen = values.get(key) ?? { column, text, count: 0, means };
      seen.count += 1;
      values.set(key, seen);
    },
  };
  const read = source.tasks.map((task) => readTask(task, source.columns, context));
  const tree = fitTree(findParents(source, read, context));
  const keys = chooseKeys(source, read, options.fileKey, context);
  const columns = source.columns.map(
    (column): ColumnReport => ({
      ...column,
      filled: 0,
      counts: { made: 0, mapped: 0, keptAsText: 0, leftOut: 0, notRecognized: 0 },
      examples: [],
    }),
  );
  for (const [index, task] of read.entries()) {
    const problem = tree.problems.get(index);
    const { row = 0, cells = [] } = source.tasks[index] ?? {};
    if (problem) context.note(row, parentNotes[problem]);
    const isSubtask = tree.parents[index] != null && problem === undefined;
    for (const { column, text } of task.parentTexts) {
      task.words[column] = isSubtask ? 'made' : 'keptAsText';
      if (!isSubtask) task.texts.push({ label: source.columns[column]?.header ?? '', text });
    }
    countValues(columns, cells, task.words);
  }
  const order = orderTasks(read, tree.parents);
  const places = new Map(order.map((index, place) => [index, place]));
  const tasks = order.flatMap((index) => {
    const task = read[index];
    const parent = tree.parents[index] ?? null;
    const place = { row: source.tasks[index]?.row ?? 0, key: keys[index] ?? '' };
    return task ? [{ ...task, ...place, parent: parent === null ? null : (places.get(parent) ?? null) }] : [];
  });
  return { tasks, columns, values: [...values.values()], notes };
}

/** Some columns have only dates such as 3/4/2026, which can be read both ways. */
function chooseDateOrder({ columns, tasks }: Source, notes: SourceNote[]): DateOrder {
  const orders = columns.flatMap(({ header, use }, column) => {
    if (!datedUses.includes(use)) return [];
    const order = findDateOrder(tasks.map(({ cells }) => cells[column] ?? ''));
    return order ? [{ header, order }] : [];
  });
  const certain = orders.find(({ order }) => order !== 'ambiguous');
  if (certain && certain.order !== 'ambiguous') return certain.order;
  for (const { header } of orders) {
    notes.push({
      row: null,
      text: `The dates in ${header} could start with the day or the month. They are read with the day first.`,
    });
  }
  return 'dmy';
}

/** Parents are named by id or by name. The first column that names a parent counts. */
function findParents(source: Source, read: readonly ReadTask[], { note }: PlanContext): (number | null)[] {
  const byId = new Map<string, number>();
  const byName = new Map<string, number[]>();
  for (const [index, { ids, name }] of read.entries()) {
    for (const id of ids) if (!byId.has(id)) byId.set(id, index);
    byName.set(name, [...(byName.get(name) ?? []), index]);
  }
  return read.map(({ parentTexts }, index) => {
    if (parentTexts.length === 0) return null;
    let problem: keyof typeof parentNotes = 'missing';
    for (const { text } of parentTexts) {
      const named = byName.get(text.trim()) ?? [];
      const found = byId.get(text.trim()) ?? (named.length === 1 ? named[0] : undefined);
      if (found !== undefined) return found;
      if (named.length > 1) problem = 'ambiguous';
    }
    note(source.tasks[index]?.row ?? 0, parentNotes[problem]);
    return null;
  });
}

/** Rows without an id can only be recognized in the same file. */
function chooseKeys(
  { tasks, columns }: Source,
  read: readonly ReadTask[],
  fileKey: string,
  { note }: PlanContext,
): string[] {
  const rowsByKey = new Map<string, number[]>();
  return read.map(({ ids: [id] }, index) => {
    const row = tasks[index]?.row ?? 0;
    if (id === undefined) return `${fileKey}:${row}`;
    const key = `id:${id.length > KEY_CHARACTERS_MAX ? hashSecret(id) : id}`;
    const rows = rowsByKey.get(id) ?? [];
    rowsByKey.set(id, [...rows, row]);
    if (rows.length === 0) return key;
    const header = columns.find(({ use }) => use === 'id')?.header ?? 'id';
    note(row, `Has the same ${header} as row ${rows[0]}: '${id.slice(0, 100)}'. Both rows become tasks.`);
    return `${key}:${rows.length + 1}`;
  });
}

function countValues(
  columns: readonly ColumnReport[],
  cells: readonly string[],
  words: readonly (Word | undefined)[],
) {
  for (const [index, word] of words.entries()) {
    const column = columns[index];
    if (!word || !column) continue;
    column.filled += 1;
    column.counts[word] += 1;
    const text = cells[index]?.trim() ?? '';
    if (column.examples.length < EXAMPLES_MAX && !column.examples.includes(text)) column.examples.push(text);
  }
}

/** @param people the active members. */
export function indexPeople(people: readonly { no: number; user_id: string; name: string; email: string }[]) {
  const byText = new Map<string, number[]>();
  const add = (text: string, no: number) => byText.set(text, [...new Set([...(byText.get(text) ?? []), no])]);
  for (const { no, name, email } of people) {
    add(email.toLowerCase(), no);
    add(toHeaderKey(name), no);
  }
  const byUser = new Map(people.map(({ user_id, no }) => [user_id, no]));
  /** A name that several people have is nobody's. */
  const pick = (found: readonly number[] = []) => (found.length === 1 ? (found[0] ?? null) : null);
  return {
    findPerson: (text: string) =>
      pick(byText.get(text.trim().toLowerCase())) ?? pick(byText.get(toHeaderKey(text))),
    findUser: (userId: string) => byUser.get(userId) ?? null,
  };
}
