// This file is long because the parsers for all kinds of columns share their types and helpers.
import { formatNumber } from '../../kernel/text/number-format.ts';
import { findCharacterBoundary, shorten } from '../../kernel/text/shorten.ts';
import {
  CHECKLIST_ITEM_CHARACTERS_MAX,
  CHECKLIST_ITEMS_MAX,
  type NewChecklistItems,
} from '../../tasks/checklist-items.ts';
import {
  ASSIGNEES_MAX,
  DESCRIPTION_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  TAGS_MAX,
  type TaskPriority,
  type TaskStatus,
  tagName,
  taskPriorities,
  taskStatuses,
} from '../../tasks/fields.ts';
import { type ColumnUse, joinItems, type SourceColumn, type SourceTask } from '../sources/source.ts';
import { type DateOrder, parseDate } from './parse-date.ts';
import {
  type ParsedValue,
  parseClockTime,
  parseHours,
  parseList,
  parsePriority,
  parseStatus,
  parseYesOrNo,
} from './parse-values.ts';

/** The possible results for a value. Each value is counted under one result. */
export const outcomes = ['made', 'mapped', 'keptAsText', 'leftOut', 'notRecognized'] as const;
export type Outcome = (typeof outcomes)[number];
export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

/** A name that is too long for a task is kept at the top of its description, up to this length. */
const WHOLE_NAME_CHARACTERS_MAX = 10_000;
/** The maximum number of ids per task. Each id is kept in memory to find parents. */
const IDS_MAX = 10;
const DEFAULT_NAME = 'Untitled';
const ITEM_SEPARATOR_CHARACTERS = 2;

export interface PlanContext {
  readonly timezone: string;
  readonly today: string;
  readonly order: DateOrder;
  /** The project's statuses, keyed by name. The names are normalized like headers. */
  readonly labels: ReadonlyMap<string, TaskStatus>;
  readonly findPerson: (text: string) => number | null;
  /** Returns the choice that was made for a value. For a person, the choice is a user id. */
  readonly findChoice: (column: number, text: string) => string | null;
  readonly findUser: (userId: string) => number | null;
  readonly note: (row: number, text: string) => void;
  /** Counts the outcomes of a task's values, by column. */
  readonly count: (
    cells: readonly string[],
    outcomes: readonly (Outcome | OutcomeCounts | undefined)[],
  ) => void;
  /** Counts a value of a column that has few different values. */
  readonly see: (column: number, text: string, means: string | number | null) => void;
}

export interface PlannedColumn extends SourceColumn {
  /** The header is shortened, because each task repeats it in its description. */
  readonly label: string;
}

interface LabeledText {
  readonly label: string;
  readonly text: string;
  readonly items?: readonly string[];
  readonly hasMarkdown?: boolean;
}

interface ColumnText {
  readonly column: number;
  readonly text: string;
}

export interface ParsedTask {
  readonly name: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly priority: TaskPriority;
  readonly assignees: readonly number[];
  readonly tags: readonly string[];
  readonly startDate: string | null;
  readonly deadline: string | null;
  readonly dueTime: string | null;
  readonly estimate: string | null;
  readonly completedOn: string | null;
  readonly isArchived: boolean;
  readonly checklist: NewChecklistItems;
  /** Used only to order tasks, so the time can be inexact. */
  readonly createdAt: number | null;
  readonly ids: readonly string[];
  readonly parentTexts: readonly ColumnText[];
  readonly texts: LabeledText[];
}

interface ParsedTaskDraft {
  name: string | null;
  description: string | null;
  status: TaskStatus | null;
  priority: TaskPriority | null;
  assignees: number[];
  tags: string[];
  startDate: string | null;
  deadline: string | null;
  dueTime: string | null;
  dueTimeFrom: ColumnText | null;
  estimate: string | null;
  completedOn: string | null;
  isCompleted: boolean;
  completedFrom: ColumnText[];
  /** Completes the task whatever its status is. `isCompleted` matters only if the task has no status. */
  isDone: boolean;
  isArchived: boolean;
  checklist: NewChecklistItems;
  /** The list items, by column, that don't fit in the column's field, such as those beyond its limit. */
  rests: Map<number, readonly string[]>;
  createdAt: number | null;
  ids: string[];
  parentTexts: ColumnText[];
  whole: string[];
}

type ColumnParser = (
  text: string,
  draft: ParsedTaskDraft,
  at: { row: number; column: number; items?: readonly string[] | undefined },
  context: PlanContext,
) => Outcome;

const columnParsers: Readonly<Record<Exclude<ColumnUse, 'parent'>, ColumnParser>> = {
  id(text, draft) {
    if (draft.ids.length < IDS_MAX) draft.ids.push(text);
    // Keeps the ids as text, because people search for the old numbers of their tasks.
    return 'keptAsText';
  },
  name(text, draft, { row }, { note }) {
    if (draft.name !== null) return 'keptAsText';
    const whole = text.slice(0, findCharacterBoundary(text, WHOLE_NAME_CHARACTERS_MAX));
    const line = whole.replace(/\s+/g, ' ').trim();
    draft.name = line.slice(0, findCharacterBoundary(line, NAME_CHARACTERS_MAX));
    const isWhole = whole.length === text.length;
    if (isWhole && draft.name.length === line.length) return 'made';
    draft.whole.push(line);
    if (isWhole) return 'mapped';
    note(
      row,
      `The name has ${formatNumber(text.length)} characters and was shortened to ${formatNumber(WHOLE_NAME_CHARACTERS_MAX)}.`,
    );
    return 'leftOut';
  },
  description(text, draft, { row }, { note }) {
    if (draft.description !== null) return 'keptAsText';
    draft.description = text.slice(0, findCharacterBoundary(text, DESCRIPTION_CHARACTERS_MAX));
    if (draft.description.length === text.length) return 'made';
    note(
      row,
      `The description has ${formatNumber(text.length)} characters and was shortened to ${formatNumber(DESCRIPTION_CHARACTERS_MAX)}.`,
    );
    return 'leftOut';
  },
  status(text, draft, at, context) {
    const chosen = taskStatuses.find((status) => status === context.findChoice(at.column, text));
    const isText = context.findChoice(at.column, text) === 'text';
    const found = isText ? null : (toChosenValue(chosen) ?? parseStatus(text, context.labels));
    context.see(at.column, text, found?.value ?? null);
    if (draft.status !== null) return 'keptAsText';
    draft.status = found?.value ?? null;
    return toOutcome(found);
  },
  priority(text, draft, at, context) {
    const chosen = taskPriorities.find((priority) => priority === context.findChoice(at.column, text));
    const isText = context.findChoice(at.column, text) === 'text';
    const found = isText ? null : (toChosenValue(chosen) ?? parsePriority(text));
    context.see(at.column, text, found?.value ?? null);
    if (draft.priority !== null) return 'keptAsText';
    draft.priority = found?.value ?? null;
    return toOutcome(found);
  },
  assignee(text, draft, { column, items }, context) {
    const whole = items ? null : findAssignee(text, column, context);
    const names = items ?? (whole === null ? parseList(text) : [text]);
    const found = names.map((name) => {
      const no = findAssignee(name, column, context);
      context.see(column, name, no);
      return no;
    });
    const people = [...new Set([...draft.assignees, ...found.filter((no) => no !== null)])];
    draft.assignees = people.slice(0, ASSIGNEES_MAX);
    if (items) {
      const assigned = new Set<number | null>(draft.assignees);
      draft.rests.set(
        column,
        items.filter((_, index) => !assigned.has(found[index] ?? null)),
      );
    }
    if (found.includes(null)) return 'notRecognized';
    return people.length > ASSIGNEES_MAX ? 'keptAsText' : 'made';
  },
  tags(text, draft, { column, items }) {
    const tags = items ?? parseList(text);
    const valid = tags.filter((tag) => tagName.safeParse(tag).success);
    const all = [...new Set([...draft.tags, ...valid])];
    draft.tags = all.slice(0, TAGS_MAX);
    if (items) {
      draft.rests.set(
        column,
        items.filter((tag) => !draft.tags.includes(tag)),
      );
    }
    return valid.length < tags.length || all.length > TAGS_MAX ? 'keptAsText' : 'made';
  },
  startDate(text, draft, at, context) {
    const found = parseDate(text, context);
    if (!found) return reportInvalidDate(text, at, context);
    if (draft.startDate !== null) return 'keptAsText';
    draft.startDate = found.date;
    return toDateOutcome(text, found.date);
  },
  deadline(text, draft, at, context) {
    const found = parseDate(text, context);
    if (!found) return reportInvalidDate(text, at, context);
    if (draft.deadline !== null) return 'keptAsText';
    draft.deadline = found.date;
    if (found.time !== null && found.time !== '00:00') draft.dueTime ??= found.time;
    return toDateOutcome(text, found.date);
  },
  dueTime(text, draft, { column }) {
    const time = parseClockTime(text);
    if (time === null || draft.dueTimeFrom !== null) return time === null ? 'notRecognized' : 'keptAsText';
    draft.dueTime = time;
    draft.dueTimeFrom = { column, text };
    return 'made';
  },
  estimate(text, draft) {
    const hours = parseHours(text);
    if (hours === null || draft.estimate !== null) return hours === null ? 'notRecognized' : 'keptAsText';
    draft.estimate = hours;
    return 'made';
  },
  createdAt(text, draft, at, context) {
    const found = parseDate(text, context);
    if (!found) return reportInvalidDate(text, at, context);
    draft.createdAt ??= Date.parse(`${found.date}T${found.time ?? '00:00'}:00Z`);
    return 'keptAsText';
  },
  completedAt(text, draft, at, context) {
    const answer = parseYesOrNo(text);
    const found = answer === null ? parseDate(text, context) : null;
    if (answer === false) return 'made';
    if (answer === null && !found) return reportInvalidDate(text, at, context);
    draft.isCompleted = true;
    draft.completedFrom.push({ column: at.column, text });
    if (!found) return 'made';
    if (found.date > context.today) return 'keptAsText';
    draft.completedOn ??= found.date;
    return toDateOutcome(text, found.date);
  },
  isCompleted(text, draft) {
    const isDone = parseYesOrNo(text);
    if (isDone === null) return 'notRecognized';
    draft.isDone ||= isDone;
    return 'made';
  },
  isArchived(text, draft, _at, context) {
    const isArchived = parseYesOrNo(text) ?? (parseDate(text, context) ? true : null);
    if (isArchived === null) return 'notRecognized';
    draft.isArchived ||= isArchived;
    return 'made';
  },
  checklist(text, draft, { column, items }) {
    const lines = items ?? text.split(/[\r\n]+/).filter((line) => line.trim() !== '');
    const rest = lines.filter((line) => {
      const item = parseChecklistItem(line);
      const fits =
        item.text.length <= CHECKLIST_ITEM_CHARACTERS_MAX && draft.checklist.length < CHECKLIST_ITEMS_MAX;
      if (item.text === '' || !fits) return true;
      draft.checklist.push(item);
      return false;
    });
    draft.rests.set(column, rest);
    return rest.length === 0 ? 'made' : 'keptAsText';
  },
  text: () => 'keptAsText',
  skip: () => 'leftOut',
};

const toChosenValue = <T>(value: T | undefined): ParsedValue<T> | null =>
  value === undefined ? null : { value, isSame: false };
const toOutcome = (found: ParsedValue<unknown> | null): Outcome =>
  found ? (found.isSame ? 'made' : 'mapped') : 'notRecognized';
const toDateOutcome = (text: string, date: string): Outcome => (text === date ? 'made' : 'mapped');

function findAssignee(
  text: string,
  column: number,
  { findChoice, findUser, findPerson }: PlanContext,
): number | null {
  const chosen = findChoice(column, text);
  return chosen === null ? findPerson(text) : findUser(chosen);
}

function reportInvalidDate(text: string, { row }: { row: number }, { note }: PlanContext): Outcome {
  if (/^0001-01-01/.test(text)) return 'leftOut';
  note(row, `'${shorten(text, 99)}' isn't a date.`);
  return 'notRecognized';
}

export function parseTask(
  source: SourceTask,
  columns: readonly PlannedColumn[],
  context: PlanContext,
): ParsedTask {
  const { row, cells, lists } = source;
  const draft: ParsedTaskDraft = {
    name: null,
    description: null,
    status: null,
    priority: null,
    assignees: [],
    tags: [],
    startDate: null,
    deadline: null,
    dueTime: null,
    dueTimeFrom: null,
    estimate: null,
    completedOn: null,
    isCompleted: false,
    completedFrom: [],
    isDone: false,
    isArchived: false,
    checklist: [],
    rests: new Map(),
    createdAt: null,
    ids: [],
    parentTexts: [],
    whole: [],
  };
  const read: (Outcome | undefined)[] = [];
  for (const [column, { use }] of columns.entries()) {
    const text = (cells[column] ?? '').trim();
    if (text === '') continue;
    if (use === 'parent') draft.parentTexts.push({ column, text });
    else read[column] = columnParsers[use](text, draft, { row, column, items: lists?.get(column) }, context);
  }
  resolveDependentFields(draft, columns, read);
  const { texts, dropped } = keepTexts(draft, source, columns, read, context);
  const tallies = read.map((outcome, column) => {
    const items = lists?.get(column);
    if (!outcome || !items) return outcome;
    const rest = outcome === 'made' ? [] : (draft.rests.get(column) ?? items);
    return countItemOutcomes(outcome, items.length, rest.length, dropped.get(column) ?? 0);
  });
  context.count(cells, tallies);
  if (draft.name === null) context.note(row, `Has no name, so the task is named '${DEFAULT_NAME}'.`);
  const status = draft.status ?? (draft.isCompleted ? 'completed' : 'todo');
  const { whole, name, description, priority, completedOn } = draft;
  const { assignees, tags, startDate, deadline, dueTime, estimate, createdAt, ids, parentTexts } = draft;
  const { isArchived, checklist } = draft;
  return {
    ...{ assignees, tags, startDate, deadline, dueTime, estimate, createdAt, ids, parentTexts },
    ...{ isArchived, checklist },
    name: name ?? DEFAULT_NAME,
    description: [...whole, ...(description === null ? [] : [description])].join('\n\n'),
    status,
    priority: priority ?? 'medium',
    completedOn: status === 'completed' ? completedOn : null,
    texts,
  };
}

function countItemOutcomes(outcome: Outcome, all: number, rest: number, dropped: number): OutcomeCounts {
  const tally: Partial<Record<Outcome, number>> = { made: all - rest };
  tally[outcome] = (tally[outcome] ?? 0) + rest - dropped;
  tally.leftOut = (tally.leftOut ?? 0) + dropped;
  return tally;
}

function resolveDependentFields(
  draft: ParsedTaskDraft,
  columns: readonly PlannedColumn[],
  read: (Outcome | undefined)[],
) {
  if (draft.isDone && draft.status !== 'completed') {
    draft.status = 'completed';
    for (const [column, { use }] of columns.entries()) {
      if (use === 'status' && read[column]) read[column] = 'keptAsText';
    }
  }
  if (draft.deadline === null) {
    if (draft.dueTimeFrom) read[draft.dueTimeFrom.column] = 'keptAsText';
    draft.dueTime = null;
  }
  if (draft.status !== null && draft.status !== 'completed') {
    for (const { column } of draft.completedFrom) read[column] = 'keptAsText';
  }
}

/**
 * Chooses the values to keep at the end of the description, up to its maximum length. `dropped` counts the items that
 * are left out, by column.
 */
function keepTexts(
  { whole, description, rests }: ParsedTaskDraft,
  { row, cells, lists }: SourceTask,
  columns: readonly PlannedColumn[],
  read: (Outcome | undefined)[],
  { note }: PlanContext,
): { texts: LabeledText[]; dropped: ReadonlyMap<number, number> } {
  let left = DESCRIPTION_CHARACTERS_MAX - (description ?? '').length - whole.join('').length;
  const dropped = new Map<number, number>();
  const texts = columns.flatMap(({ label, use, hasMarkdown = false }, column) => {
    const word = read[column];
    if (word !== 'keptAsText' && word !== 'notRecognized' && use !== 'parent') return [];
    const items = rests.get(column) ?? lists?.get(column) ?? [(cells[column] ?? '').trim()];
    const count = countFittingItems(items, left - label.length);
    const kept = items.slice(0, count);
    const text = joinItems(kept);
    if (count > 0) left -= label.length + text.length;
    if (count < items.length) {
      dropped.set(column, items.length - count);
      if (use !== 'parent' && !lists?.has(column)) read[column] = 'leftOut';
      note(row, describeDroppedItems(label, items, count));
    }
    if (count === 0 || use === 'parent') return [];
    return [{ label, text, ...(lists?.has(column) && { items: kept, hasMarkdown }) }];
  });
  return { texts, dropped };
}

function countFittingItems(items: readonly string[], charactersMax: number): number {
  let left = charactersMax;
  const fitting = items.findIndex((item, index) => {
    left -= item.length + (index === 0 ? 0 : ITEM_SEPARATOR_CHARACTERS);
    return left < 0;
  });
  return fitting === -1 ? items.length : fitting;
}

function describeDroppedItems(label: string, items: readonly string[], kept: number): string {
  if (items.length > 1)
    return `${label}: the last ${items.length - kept} of ${items.length} don't fit in the description and were left out.`;
  return `${label} is too long for the description and was left out.`;
}

const CHECKLIST_ITEM_PATTERN = /^(?:[-*]\s+)?\[([ xX]?)\]\s*(.*)$/s;

function parseChecklistItem(line: string): { text: string; isDone: boolean } {
  const [, mark = '', text = line] = CHECKLIST_ITEM_PATTERN.exec(line.trim()) ?? [];
  return { text: text.trim(), isDone: mark.toLowerCase() === 'x' };
}
