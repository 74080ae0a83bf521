// This file is long because everything about a task field is declared in one place.
import * as z from 'zod';
import { examplePerson, exampleUserId } from '../kernel/operation/examples.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  civilDate,
  integerId,
} from '../kernel/operation/schema.ts';
import { HTML_CHARACTERS_MAX } from '../kernel/rich-text/description-format.ts';
import { NO_DEADLINE, type tasks } from '../schema/cell/tasks.ts';
import { customFieldsInput, customFieldsOutput } from './custom-fields/custom-fields.schema.ts';
import { personSummary, referenceText, taskName } from './summaries/summaries.schema.ts';

/* Everything about editable task fields derives from this table. CONTRIBUTING.md explains how to add a field. */

export interface TaskField {
  readonly column: keyof typeof tasks.$inferSelect;
  /**
   * How the column stores the value. `field-values.ts` converts it for clients, and `model/history.queries.ts` for
   * events.
   */
  readonly stored:
    | 'text'
    | 'html'
    | 'index'
    | 'json'
    | 'flag'
    | 'member'
    | 'members'
    | 'category'
    | 'type'
    | 'task'
    | 'custom';
  /** For a field stored as `index`, the API's name for each number. */
  readonly names?: readonly string[];
  /** The column's value if the field isn't set. Defaults to null. */
  readonly empty?: string | number;
  /** The initial value in new tasks, for fields that are never empty. */
  readonly initial?: number;
  /** The name in requests if it differs from the name in responses. */
  readonly inputName?: string;
  readonly create?: z.ZodType;
  readonly update?: z.ZodType;
  /** Defaults to the schema's description. An empty string removes it. */
  readonly toolDescription?: string;
  readonly output: z.ZodType;
  readonly example?: unknown;
  /**
   * `list` fields are always returned, and `detail` fields only with a single task or `expand=detail`. `requested`
   * fields require `expand=detail` or their name in the request's `fields`. The others require a value of `expand`.
   */
  readonly shownIn: 'list' | 'detail' | 'requested' | 'structure' | 'assignees' | 'fields';
  readonly toolLine?: (value: string) => string;
  readonly label: string;
  /** The name after "the" in a sentence. Defaults to the field's name. */
  readonly noun?: string;
  /**
   * The field's position in an event. History entry ids contain it, so it must never change. A new field takes the next
   * number.
   */
  readonly place: number;
  readonly entry?: string;
}

export const taskStatuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
/** The number that the database stores for `completed`. */
export const COMPLETED_STATUS = taskStatuses.indexOf('completed');
export const taskPriorities = ['low', 'medium', 'high'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

const status = z.enum(taskStatuses).meta({ example: 'in_progress' });
const priority = z.enum(taskPriorities).meta({ example: 'high' });
const userId = z.string().min(1).max(100).meta({ description: 'A user id.', example: exampleUserId });
export const ASSIGNEES_MAX = 10;
const assigneeIds = z
  .array(userId)
  .max(ASSIGNEES_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'must not contain the same person twice')
  .meta({
    description:
      "All assignees, in order. The first is returned as `assignee`. Can't be combined with `assigneeId`.",
    example: [exampleUserId],
  });
const reference = z.object({ id: integerId, key: referenceText, value: referenceText });

const taskReference = z.object({ id: integerId, name: taskName });

export const NAME_CHARACTERS_MAX = 500;
const name = z
  .string()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({ example: 'Draft the launch page' });

export const DESCRIPTION_CHARACTERS_MAX = 100_000;
const description = z.string().max(DESCRIPTION_CHARACTERS_MAX).meta({
  description: 'Rich text (HTML); unsafe markup is removed.',
  example: '<p>Hero, three benefits, one form.</p>',
});

const estimate = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'must be decimal hours from 0 to 9999.99, as a string')
  .meta({
    description: "Estimated hours. Overrides the type's and category's defaults.",
    example: '6.5',
  });

const CLOCK_TIME_PATTERN = /^([01]\d|2[0-3]):[0-5]\d$/;
/** The schema contains no regular expression, because the tool list would repeat it. */
const clockTime = z
  .string()
  .refine((text) => CLOCK_TIME_PATTERN.test(text), { message: 'must be a time from 00:00 to 23:59' })
  .meta({ example: '17:30' });

export const TAG_CHARACTERS_MAX = 50;
export const TAGS_MAX = 20;

export const tagName = z
  .string()
  .trim()
  .min(1)
  .max(TAG_CHARACTERS_MAX)
  .refine((tag) => !/\p{Cc}/u.test(tag), 'must not contain control characters')
  .refine((tag) => !tag.includes(','), 'must not contain commas');

export const tagList = z
  .array(tagName)
  .refine((tags) => new Set(tags).size <= TAGS_MAX, `must have at most ${TAGS_MAX} tags`)
  .meta({
    description: `Up to ${TAGS_MAX} tags, which replace the current ones. Repeated tags count once.`,
    example: ['web', 'copy'],
  });

export const taskFields = {
  name: {
    column: 'name',
    stored: 'text',
    create: name,
    update: name.optional(),
    output: taskName.meta({ description: 'Stored verbatim, never normalized.' }),
    example: 'Draft the launch page',
    shownIn: 'list',
    label: 'Name',
    place: 3,
    entry: 'name_changed',
  },
  description: {
    column: 'description',
    stored: 'html',
    create: description.nullish(),
    update: description.nullish(),
    toolDescription: 'Markdown.',
    output: z
      .string()
      .max(HTML_CHARACTERS_MAX)
      .nullable()
      .meta({ description: 'Sanitized rich text (HTML).' }),
    example: '<p>Hero, three benefits, one form.</p>',
    shownIn: 'detail',
    label: 'Description',
    place: 4,
    entry: 'description_changed',
  },
  status: {
    column: 'status',
    stored: 'index',
    names: taskStatuses,
    initial: taskStatuses.indexOf('todo'),
    create: status.default('todo'),
    update: status.optional(),
    output: status,
    example: 'in_progress',
    shownIn: 'list',
    label: 'Status',
    place: 0,
    entry: 'status_changed',
  },
  priority: {
    column: 'priority',
    stored: 'index',
    names: taskPriorities,
    initial: taskPriorities.indexOf('medium'),
    create: priority.default('medium'),
    update: priority.optional(),
    output: priority,
    example: 'high',
    shownIn: 'list',
    label: 'Priority',
    place: 2,
    entry: 'priority_changed',
  },
  assignee: {
    column: 'assignee',
    stored: 'member',
    empty: 0,
    inputName: 'assigneeId',
    create: userId.nullish(),
    update: userId.nullish().meta({ description: 'Send null to unassign the task.' }),
    output: personSummary.nullable(),
    example: examplePerson,
    shownIn: 'list',
    label: 'Assignee',
    place: 1,
    entry: 'assignee_changed',
  },
  tags: {
    column: 'tags',
    stored: 'json',
    empty: '[]',
    create: tagList.optional(),
    update: tagList.optional(),
    toolDescription: '',
    output: z.array(buildPlainTextSchema(TAG_CHARACTERS_MAX)).max(TAGS_MAX),
    example: ['web', 'copy'],
    shownIn: 'list',
    label: 'Tags',
    place: 11,
    entry: 'tags_changed',
  },
  startDate: {
    column: 'start_date',
    stored: 'text',
    create: civilDate.nullish(),
    update: civilDate.nullish(),
    output: civilDate.nullable(),
    example: '2026-03-02',
    shownIn: 'detail',
    toolLine: (date) => `starts ${date}`,
    label: 'Start',
    noun: 'start date',
    place: 5,
    entry: 'start_date_changed',
  },
  deadline: {
    column: 'due',
    stored: 'text',
    empty: NO_DEADLINE,
    create: civilDate.nullish(),
    update: civilDate.nullish(),
    output: civilDate.nullable(),
    example: '2026-03-09',
    shownIn: 'list',
    label: 'Deadline',
    place: 6,
    entry: 'deadline_changed',
  },
  dueTime: {
    column: 'due_time',
    stored: 'text',
    create: clockTime
      .nullish()
      .meta({ description: "HH:MM on the day of the deadline, in the workspace's time zone." }),
    update: clockTime
      .nullish()
      .meta({ description: 'HH:MM on the day of the deadline. Removing the deadline clears it.' }),
    toolDescription: '',
    output: buildAsciiTextSchema(5)
      .nullable()
      .meta({ description: "HH:MM on the day of the deadline, in the workspace's time zone." }),
    example: '17:30',
    shownIn: 'requested',
    toolLine: (time) => `due at ${time}`,
    label: 'Due time',
    noun: 'due time',
    place: 14,
    entry: 'due_time_changed',
  },
  isArchived: {
    column: 'archived',
    stored: 'flag',
    initial: 0,
    output: z.boolean(),
    example: false,
    shownIn: 'list',
    label: 'Archived',
    place: 12,
  },
  scheduledTime: {
    column: 'scheduled_time',
    stored: 'text',
    output: buildAsciiTextSchema(5)
      .nullable()
      .meta({ description: 'HH:MM on the day of the deadline.', example: '10:00' }),
    shownIn: 'detail',
    toolLine: (time) => `at ${time}`,
    label: 'Time',
    // Changes to this field have no history entries, so its position may be above the limit for positions in an event.
    place: 16,
  },
  category: {
    column: 'category',
    stored: 'category',
    inputName: 'categoryId',
    create: integerId.nullish(),
    output: reference.nullable(),
    example: { id: 2, key: 'design', value: 'Design' },
    shownIn: 'detail',
    label: 'Category',
    place: 8,
  },
  type: {
    column: 'type',
    stored: 'type',
    inputName: 'typeId',
    create: integerId.nullish(),
    output: reference.nullable(),
    shownIn: 'detail',
    label: 'Type',
    place: 9,
  },
  customEstimatedHours: {
    column: 'estimated_hours',
    stored: 'text',
    create: estimate.nullish(),
    update: estimate.nullish(),
    toolDescription: 'Hours, such as "6.5".',
    output: buildAsciiTextSchema(7).nullable(),
    example: '6.5',
    shownIn: 'detail',
    toolLine: (hours) => `${hours} h`,
    label: 'Estimate (h)',
    noun: 'estimate',
    place: 7,
    entry: 'estimate_changed',
  },
  parent: {
    column: 'parent',
    stored: 'task',
    inputName: 'parentId',
    create: integerId.nullish().meta({ description: 'The parent task, which must be in the same project.' }),
    update: integerId.nullish().meta({ description: 'Send null to remove the task from its parent.' }),
    output: taskReference.nullable(),
    example: { id: 1040, name: 'Launch page' },
    shownIn: 'structure',
    label: 'Parent task',
    noun: 'parent',
    place: 13,
    entry: 'parent_changed',
  },
  assignees: {
    column: 'other_assignees',
    stored: 'members',
    empty: '[]',
    inputName: 'assigneeIds',
    create: assigneeIds.optional(),
    update: assigneeIds.optional(),
    output: z.array(personSummary).max(ASSIGNEES_MAX),
    example: [examplePerson],
    shownIn: 'assignees',
    label: 'Other assignees',
    noun: 'assignees',
    place: 10,
    entry: 'assignees_changed',
  },
  customFields: {
    column: 'field_values',
    stored: 'custom',
    create: customFieldsInput.optional(),
    update: customFieldsInput.optional(),
    toolDescription: '',
    output: customFieldsOutput,
    example: { cf_12: 1 },
    shownIn: 'fields',
    label: 'Custom fields',
    noun: 'custom fields',
    place: 15,
    entry: 'custom_field_changed',
  },
} as const satisfies Record<string, TaskField>;
