import { addDays } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import type { FieldDefinition } from '../../tasks/custom-fields/custom-fields.queries.ts';
import { dropUnknownValues } from '../../tasks/custom-fields/field-values.ts';
import type { FieldColumns } from '../../tasks/field-values.ts';
import { emptyDraft, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import type { StoredRelation } from '../../tasks/model/relations.queries.ts';

export const TEMPLATE_TASKS_MAX = 200;
export const TEMPLATE_RELATIONS_MAX = 500;
const CONTENT_CHARACTERS_MAX = 500_000;

type TemplateTaskColumns = Pick<
  FieldColumns,
  | 'name'
  | 'description'
  | 'priority'
  | 'tags'
  | 'estimated_hours'
  | 'category'
  | 'type'
  | 'due_time'
  | 'field_values'
>;

export interface TemplateTask extends TemplateTaskColumns {
  readonly id: number;
  readonly parent: number | null;
  /** Days after the template's first day. Unless the request has a date, the first day is today. */
  readonly start_day: number | null;
  readonly due_day: number | null;
  readonly checklist: readonly string[];
}

/**
 * Parents come before their subtasks. In a task template, the first task is the template's own task, and the others are
 * its subtasks.
 */
export interface TemplateContent {
  readonly tasks: readonly TemplateTask[];
  readonly nextTask: number;
  readonly relations: readonly StoredRelation[];
  readonly project: ProjectContent | null;
}

export interface ProjectContent {
  readonly columns: string | null;
  readonly fields: readonly number[];
}

export const parseContent = (content: string): TemplateContent => JSON.parse(content);

export function serializeContent(content: TemplateContent): string {
  const { length } = content.tasks;
  if (length > TEMPLATE_TASKS_MAX) {
    throw invalidRequestError(
      `A template can have up to ${TEMPLATE_TASKS_MAX} tasks; this one would have ${length}. Leave some out.`,
    );
  }
  if (content.relations.length > TEMPLATE_RELATIONS_MAX) {
    throw invalidRequestError(
      `A template's tasks can have up to ${TEMPLATE_RELATIONS_MAX} relations; these tasks have more. Delete some relations.`,
    );
  }
  const text = JSON.stringify(content);
  if (text.length > CONTENT_CHARACTERS_MAX) {
    throw invalidRequestError(
      `The text in a template can have up to ${formatNumber(CONTENT_CHARACTERS_MAX)} characters in total; this template would have ${formatNumber(text.length)}. Shorten the descriptions.`,
    );
  }
  return text;
}

export function countTaskLevels(tasks: readonly TemplateTask[]): number {
  const levels = new Map<number, number>();
  for (const { id, parent } of tasks) levels.set(id, (levels.get(parent ?? 0) ?? 0) + 1);
  return Math.max(0, ...levels.values());
}

/**
 * Returns the date from which the template's days are counted. By default, this is today. If the request and the first
 * task both have a deadline, or else both have a start date, the first task gets the requested date.
 */
export function findFirstDay(
  [root]: readonly TemplateTask[],
  { deadline, startDate }: { deadline?: string | null | undefined; startDate?: string | null | undefined },
  today: string,
): string {
  const subtractDays = (date: string, days: number) => shiftDay(date, -days);
  if (deadline && root && root.due_day !== null) return subtractDays(deadline, root.due_day);
  if (startDate && root && root.start_day !== null) return subtractDays(startDate, root.start_day);
  return today;
}

interface TemplateDraftOptions {
  project: number;
  fields: readonly FieldDefinition[];
  firstDay: string;
}

interface TemplateDrafts {
  drafts: TaskDraft[];
  /** `source` and `target` are indexes into `drafts`. */
  relations: StoredRelation[];
}

/** For a task template, moves the first task to the end, so that it becomes the newest task. */
export function buildTemplateDrafts(
  kind: 'task' | 'project',
  { tasks, relations }: Pick<TemplateContent, 'tasks' | 'relations'>,
  { project, fields, firstDay }: TemplateDraftOptions,
): TemplateDrafts {
  const ordered = kind === 'task' ? [...tasks.slice(1), ...tasks.slice(0, 1)] : tasks;
  const places = new Map(ordered.map(({ id }, place) => [id, place]));
  const drafts = ordered.map(({ id: _, parent, start_day, due_day, checklist, ...kept }) => ({
    ...emptyDraft,
    ...kept,
    project,
    assignee: 0,
    start_date: start_day === null ? null : shiftDay(firstDay, start_day),
    due: due_day === null ? NO_DEADLINE : shiftDay(firstDay, due_day),
    due_time: due_day === null ? null : kept.due_time,
    field_values: dropUnknownValues(kept.field_values, fields),
    ...(parent !== null && { parent_draft: places.get(parent) ?? 0 }),
    ...(checklist.length > 0 && { checklist: checklist.map((text) => ({ text, isDone: false })) }),
  }));
  return { drafts, relations: relations.map((relation) => toDraftRelation(relation, places)) };
}

/** If the relation has no direction, the source is the draft with the lower index. */
function toDraftRelation({ type, source, target }: StoredRelation, places: ReadonlyMap<number, number>) {
  const ends = [places.get(source) ?? 0, places.get(target) ?? 0] as const;
  const [from, to] = type === 'relates_to' ? ends.toSorted((one, other) => one - other) : ends;
  return { type, source: from ?? 0, target: to ?? 0 };
}

const [FIRST_YEAR, LAST_YEAR] = ['1900', '9998'];

function shiftDay(firstDay: string, days: number): string {
  const day = addDays(firstDay, days);
  const year = day.slice(0, 4);
  if (day.length === NO_DEADLINE.length && year >= FIRST_YEAR && year <= LAST_YEAR) return day;
  throw invalidRequestError(
    `The template's dates would be before ${FIRST_YEAR} or after ${LAST_YEAR}. Choose another date.`,
  );
}
