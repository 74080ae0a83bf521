import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { shorten } from '../../kernel/text/shorten.ts';
import type { ColumnUse, Source, SourceNote } from '../sources/source.ts';
import { findParents, parentNotes } from './find-parents.ts';
import { buildValidTree, orderTasks } from './order-tasks.ts';
import { type DateOrder, findDateOrder } from './parse-date.ts';
import {
  type Outcome,
  type OutcomeCounts,
  type ParsedTask,
  type PlanContext,
  type PlannedColumn,
  parseTask,
} from './parse-task.ts';

export interface PlannedTask extends ParsedTask {
  /** Identifies the task in later imports of the same source. */
  readonly key: string;
  readonly row: number;
  /** The index of the parent in the plan's tasks. Parents precede their subtasks. */
  readonly parent: number | null;
}

interface ColumnReport {
  readonly header: string;
  readonly use: ColumnUse;
  filled: number;
  readonly counts: Record<Outcome, number>;
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

export interface PlanOptions extends Omit<PlanContext, 'order' | 'note' | 'count' | 'see'> {
  /** Identifies the file. Used for rows without an id. */
  readonly fileKey: string;
  readonly dateOrder: DateOrder | undefined;
}

const dateUses: readonly ColumnUse[] = ['startDate', 'deadline', 'createdAt', 'completedAt'];
const EXAMPLES_MAX = 3;
const KEY_CHARACTERS_MAX = 200;
const LABEL_CHARACTERS_MAX = 40;
/** Without this limit, a small file could fill the database, because every kept value repeats its column's label. */
const OUTPUT_CHARACTERS_MAX = 50_000_000;
const ITEM_MARKUP_CHARACTERS = 28;
const NOTES_MAX = 100_000;
const VALUES_MAX = 50_000;

/** The report and the import use the same plan, so their results match. */
export function planImport(source: Source, options: PlanOptions): ImportPlan {
  const notes = [...source.notes];
  const values = new Map<string, ValueReport>();
  const reports = source.columns.map(
    (column): ColumnReport => ({
      ...column,
      filled: 0,
      counts: { made: 0, mapped: 0, keptAsText: 0, leftOut: 0, notRecognized: 0 },
      examples: [],
    }),
  );
  const context: PlanContext = {
    ...options,
    findPerson(text) {
      const username = source.usernames?.get(text);
      return options.findPerson(text) ?? (username === undefined ? null : options.findPerson(username));
    },
    order: options.dateOrder ?? chooseDateOrder(source, notes),
    note(row, text) {
      if (notes.length === NOTES_MAX) {
        throw invalidRequestError(
          `More than ${NOTES_MAX} values can't be read, for example in row ${row}: ${text} Keep the columns with such values as text.`,
        );
      }
      notes.push({ row, text });
    },
    count: (cells, outcomes) => countValues(reports, cells, outcomes),
    see(column, text, means) {
      const key = `${column} ${text}`;
      const seen = values.get(key) ?? { column, text, count: 0, means };
      if (seen.count === 0 && values.size === VALUES_MAX) {
        throw invalidRequestError(
          `The columns for statuses, priorities and people have more than ${VALUES_MAX} different values, such as '${shorten(text, 99)}' in ${source.columns[column]?.header}. Keep some of these columns as text.`,
        );
      }
      seen.count += 1;
      values.set(key, seen);
    },
  };
  const columns = source.columns.map((column) => ({
    ...column,
    label: shorten(column.header, LABEL_CHARACTERS_MAX - 1),
  }));
  const read = readTasks(source, columns, context);
  const wanted = findParents(source, read, context);
  const tree = buildValidTree(wanted.map(({ parent }) => parent));
  const keys = buildTaskKeys(source, read, options.fileKey, context);
  for (const [index, task] of read.entries()) {
    const problem = tree.problems.get(index);
    const { row = 0, cells = [] } = source.tasks[index] ?? {};
    if (problem) context.note(row, parentNotes[problem]);
    const naming = tree.parents[index] != null && problem === undefined ? wanted[index]?.naming : undefined;
    const outcomes: Outcome[] = [];
    for (const { column, text } of task.parentTexts) {
      outcomes[column] = naming?.has(column) ? 'made' : 'keptAsText';
      if (outcomes[column] === 'keptAsText') task.texts.push({ label: columns[column]?.label ?? '', text });
    }
    context.count(cells, outcomes);
  }
  const order = orderTasks(source.isOrdered ? read.map(() => ({ createdAt: null })) : read, tree.parents);
  const places = new Map(order.map((index, place) => [index, place]));
  const tasks = order.flatMap((index) => {
    const task = read[index];
    const parent = tree.parents[index] ?? null;
    const place = { row: source.tasks[index]?.row ?? 0, key: keys[index] ?? '' };
    return task ? [{ ...task, ...place, parent: parent === null ? null : (places.get(parent) ?? null) }] : [];
  });
  return { tasks, columns: reports, values: [...values.values()], notes };
}

function readTasks(source: Source, columns: readonly PlannedColumn[], context: PlanContext): ParsedTask[] {
  const labelSizes = new Map(
    columns.map(({ label }) => [label, ITEM_MARKUP_CHARACTERS + countHtmlCharacters(label)]),
  );
  let size = 0;
  return source.tasks.map((each) => {
    const task = parseTask(each, columns, context);
    const parents = task.parentTexts.map(({ column, text }) => ({
      label: columns[column]?.label ?? '',
      text,
    }));
    size += task.name.length + task.description.length;
    for (const { label, text } of [...task.texts, ...parents])
      size += (labelSizes.get(label) ?? 0) + text.length;
    if (size > OUTPUT_CHARACTERS_MAX) {
      throw invalidRequestError(
        `The import would create more than ${OUTPUT_CHARACTERS_MAX.toLocaleString('en')} characters of text, because every task repeats the names of the columns kept as text. Skip some columns, or split the file.`,
      );
    }
    return task;
  });
}

const countHtmlCharacters = (text: string) => text.length + 4 * (text.match(/[&<>]/g)?.length ?? 0);

/** Uses a column whose date order is certain, because dates such as 3/4/2026 can be read both ways. */
function chooseDateOrder({ columns, tasks }: Source, notes: SourceNote[]): DateOrder {
  const orders = columns.flatMap(({ header, use }, column) => {
    if (!dateUses.includes(use)) return [];
    const order = findDateOrder(tasks.map(({ cells }) => cells[column] ?? ''));
    return order ? [{ header, order }] : [];
  });
  const certain = orders.find(({ order }) => order !== 'ambiguous');
  if (certain && certain.order !== 'ambiguous') return certain.order;
  for (const { header } of orders) {
    notes.push({
      row: null,
      text: `Dates in ${header} could be day-first or month-first. They're read as day-first.`,
    });
  }
  return 'dmy';
}

/** In a later import, rows without an id are recognized only if the file is the same. */
function buildTaskKeys(
  { tasks, columns }: Source,
  read: readonly ParsedTask[],
  fileKey: string,
  { note }: PlanContext,
): string[] {
  const seen = new Map<string, { row: number; count: number }>();
  return read.map(({ ids: [id] }, index) => {
    const row = tasks[index]?.row ?? 0;
    if (id === undefined) return `${fileKey}:${row}`;
    const key = id.length > KEY_CHARACTERS_MAX ? `hash:${hashSecret(id)}` : `id:${id}`;
    const { row: first, count } = seen.get(id) ?? { row, count: 0 };
    seen.set(id, { row: first, count: count + 1 });
    if (count === 0) return key;
    const header = columns.find(({ use }) => use === 'id')?.header ?? 'id';
    note(row, `Has the same ${header} as row ${first}: '${shorten(id, 99)}'. Both rows become tasks.`);
    // Keys built from ids start with `id:` or `hash:`, so none of them equals this key.
    return `again:${count + 1}:${key}`;
  });
}

function countValues(
  columns: readonly ColumnReport[],
  cells: readonly string[],
  outcomes: readonly (Outcome | OutcomeCounts | undefined)[],
) {
  for (const [index, outcome] of outcomes.entries()) {
    const column = columns[index];
    if (!outcome || !column) continue;
    const tally: OutcomeCounts = typeof outcome === 'string' ? { [outcome]: 1 } : outcome;
    for (const [word, number] of Object.entries(tally)) {
      column.filled += number;
      column.counts[word as Outcome] += number;
    }
    const text = cells[index]?.trim() ?? '';
    if (column.examples.length < EXAMPLES_MAX && !column.examples.includes(text)) column.examples.push(text);
  }
}
