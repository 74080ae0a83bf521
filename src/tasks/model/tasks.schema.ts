// This file is long because the schemas of tasks in requests and responses share their fields.
import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import {
  buildNameListSchema,
  civilDate,
  instantInput,
  integerId,
  jsonByteLimits,
  timestamp,
} from '../../kernel/operation/schema.ts';
import { newChecklistItems } from '../checklist-items.ts';
import { customFieldFilter } from '../custom-fields/custom-fields.schema.ts';
import { buildFieldExamples, buildInputSchemas, buildOutputSchemas } from '../field-values.ts';
import { TAGS_MAX, tagList, tagName, taskPriorities, taskStatuses } from '../fields.ts';
import { recurrence, ruleInput } from '../recurrence/recurrence.schema.ts';
import { comment, personSummary, projectName } from '../summaries/summaries.schema.ts';

export { type TaskPriority, type TaskStatus, taskPriorities, taskStatuses } from '../fields.ts';

export const taskTagsInput = z.strictObject({ id: integerId, tags: tagList });

export const DETAIL_COMMENTS_MAX = 10;
export const LISTED_COMMENTS_MAX = 100;
/**
 * The maximum size of a task's comments in a list, as JSON. The first limit covers the contents. The second also
 * covers authors and dates.
 */
export const COMMENTS_CONTENT_BYTES_MAX = 64 * 1024;
export const COMMENTS_BYTES_MAX = 76_000;
const listedComments = z.array(comment).max(LISTED_COMMENTS_MAX);
jsonByteLimits.add(listedComments, { bytes: COMMENTS_BYTES_MAX });

export const SUBTASKS_MAX = 500;

const project = z.object({ id: integerId, name: projectName });
const taskShape = { id: integerId, ...insertKeysAfter('assignee', { project }, buildOutputSchemas('list')) };
const exampleProject = { id: 7, name: 'Spring launch' };
const exampleTask = {
  id: 1042,
  ...insertKeysAfter('assignee', { project: exampleProject }, buildFieldExamples('list')),
};

export const subtaskProgress = z.object({ total: z.int().min(0), completed: z.int().min(0) }).meta({
  description: 'The number of unarchived direct subtasks that you can see, and how many are completed.',
  example: { total: 5, completed: 2 },
});
export const checklistProgress = z.object({ total: z.int().min(0), done: z.int().min(0) }).meta({
  description: 'The number of checklist items, and how many are done.',
  example: { total: 3, done: 1 },
});
export const isBlocked = z.boolean().meta({
  description: 'Whether a task that you can see blocks this one and is neither completed nor archived.',
});
const assignees = buildOutputSchemas('assignees');
const structure = z.object({
  ...buildOutputSchemas('structure'),
  subtasks: subtaskProgress,
  checklist: checklistProgress,
  isBlocked,
});
const expandedFields = z.object(buildOutputSchemas('fields')).partial();
const FIELDS_EXPANSION_DESCRIPTION = "`customFields` adds the values of the project's custom fields";
export const expandedFieldNames = {
  structure: Object.keys(structure.shape),
  assignees: Object.keys(assignees),
  recurrence: ['recurrence'],
  customFields: ['customFields'],
};

const { description, ...detailed } = buildOutputSchemas('detail');
const detailFields = {
  ...detailed,
  createdBy: personSummary,
  createdAt: timestamp,
  updatedAt: timestamp,
};

const requested = z.object(buildOutputSchemas('requested')).partial();
export const requestedFieldNames = Object.keys(requested.shape);

export const detailFieldNames = ['description', ...Object.keys(detailFields)];
/** If `fields` names these fields, lists return them even without `expand=detail`. */
export const dateFieldNames = ['createdAt', 'updatedAt'];
export const DETAILS_IN_LIST_MAX = 50;
/** Limits the total size of the descriptions on a page, as stored. As JSON, they can be twice as large. */
export const DETAILS_BYTES_MAX = 2_000_000;
/** The size of the largest page, which has 100 tasks with comments, or 50 tasks with comments and descriptions. */
export const PAGE_BYTES_MAX = 8_250_000;
/** The maximum size of a task in a list, without comments, description and custom field values. */
export const TASK_BYTES_MAX = 5_000;

const task = z
  .object({
    ...taskShape,
    description: description.optional(),
    ...z.object(detailFields).partial().shape,
    ...requested.shape,
    ...structure.partial().shape,
    ...expandedFields.shape,
    ...z.object(assignees).partial().shape,
    comments: listedComments.optional(),
  })
  .meta({ id: 'Task', example: exampleTask });
export const taskPage = buildPageSchema(task).meta({ id: 'TaskPage' });
export const listedTask = z.object(taskShape);
export const listedTaskExample = exampleTask;
const subtask = z
  .object({ ...taskShape, ...structure.partial().shape })
  .meta({ id: 'Subtask', example: exampleTask });
export const subtaskList = buildPageSchema(subtask)
  .extend({ data: z.array(subtask).max(SUBTASKS_MAX) })
  .meta({ id: 'SubtaskList' });
jsonByteLimits.add(taskPage.shape.data, { bytes: PAGE_BYTES_MAX });

export const taskDetail = z
  .object({
    ...taskShape,
    description,
    ...detailed,
    createdBy: personSummary,
    followers: z.array(personSummary),
    comments: z
      .array(comment)
      .max(DETAIL_COMMENTS_MAX)
      .meta({ description: 'The last 10 comments, oldest first.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
    ...requested.shape,
    ...structure.partial().shape,
    recurrence: recurrence.nullable().optional(),
    ...expandedFields.shape,
    ...z.object(assignees).partial().shape,
  })
  .meta({
    id: 'TaskDetail',
    example: {
      ...exampleTask,
      ...buildFieldExamples('detail'),
      createdBy: examplePerson,
      followers: [examplePerson],
      comments: [],
      createdAt: '2026-03-01T08:00:00.000Z',
      updatedAt: '2026-03-02T09:30:00.000Z',
    },
  });
export type TaskDetail = z.infer<typeof taskDetail>;

const taskScopes = ['mine', 'all'] as const;

export const OPEN_STATUS = 'open';
export const taskSorts = ['created', 'due', 'updated'] as const;
const FILTER_ASSIGNEES_MAX = 50;
const FILTER_IDS_MAX = 100;
const FILTER_PROJECTS_MAX = 50;
const tagNames = z.array(tagName).min(1).max(TAGS_MAX);

export const taskListInput = z.strictObject({
  projectId: z
    .array(integerId)
    .min(1)
    .max(FILTER_PROJECTS_MAX)
    .optional()
    .meta({ description: 'Only tasks in these projects. Comma-separated ids.', example: [7] }),
  status: buildNameListSchema([...taskStatuses, OPEN_STATUS])
    .min(1)
    .optional()
    .meta({
      description: 'Only tasks with these statuses. Comma-separated; `open` means all except completed.',
      example: ['in_progress'],
    }),
  priority: buildNameListSchema(taskPriorities)
    .min(1)
    .optional()
    .meta({
      description: 'Only tasks with these priorities. Comma-separated.',
      example: ['high'],
    }),
  assigneeId: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(FILTER_ASSIGNEES_MAX)
    .optional()
    .meta({
      description:
        'Only tasks assigned to any of these people. Comma-separated user ids; `me` means you, and `none` means unassigned.',
      example: ['me'],
    }),
  parentId: z
    .string()
    .regex(/^(none|\d{1,15})$/, 'must be the id of a task, or none')
    .optional()
    .meta({
      description: 'Only subtasks of this task, or `none` for tasks without a parent.',
      example: 'none',
    }),
  isBlocked: isBlocked.optional().meta({
    description:
      '`true` lists only tasks with an open blocker that you can see, and `false` only the other tasks.',
  }),
  dueFrom: civilDate.optional().meta({ description: 'Only tasks due on or after this day.' }),
  dueTo: civilDate.optional().meta({ description: 'Only tasks due on or before this day.' }),
  createdFrom: civilDate
    .optional()
    .meta({ description: "Only tasks created on or after this day, in the workspace's time zone." }),
  createdTo: civilDate
    .optional()
    .meta({ description: "Only tasks created on or before this day, in the workspace's time zone." }),
  tags: tagNames.optional().meta({
    description: 'Only tasks with any of these tags. Comma-separated, case-insensitive.',
    example: ['web'],
  }),
  tagsAll: tagNames.optional().meta({
    description: 'Only tasks with all of these tags. Comma-separated, case-insensitive.',
    example: ['web'],
  }),
  customFields: customFieldFilter,
  updatedSince: instantInput.optional().meta({ description: 'Only tasks changed at or after this time.' }),
  sort: z.enum(taskSorts).default('created').meta({
    description:
      '`created` and `updated` sort newest first. `due` sorts earliest first, and puts tasks without a deadline last. Ties are sorted by id in the same direction.',
  }),
  search: z.string().max(200).optional().meta({
    description: 'Only tasks whose name or description contains this text, ignoring case.',
    example: 'launch',
  }),
  isArchived: z.boolean().optional().meta({
    description:
      '`true` lists only archived tasks, and `false` only unarchived tasks. By default, archived tasks are left out unless you name them in `ids`.',
  }),
  ids: z
    .array(integerId)
    .min(1)
    .refine((ids) => new Set(ids).size <= FILTER_IDS_MAX, `must contain at most ${FILTER_IDS_MAX} tasks`)
    .optional()
    .meta({
      description: 'Only the tasks with these ids, archived or not. Comma-separated.',
      example: [1, 2],
    }),
  scope: z.enum(taskScopes).optional().meta({
    description:
      '`mine` lists tasks in your projects and tasks you follow. Defaults to `mine` for session tokens, and to `all` for other credentials.',
  }),
  mine: z.boolean().optional().meta({
    description: '`true` means `scope=mine`, and `false` means `scope=all`. Ignored if `scope` is present.',
  }),
  expand: buildNameListSchema(['comments', 'detail', 'structure', 'assignees', 'customFields'])
    .optional()
    .meta({
      description: `\`comments\` adds each task's newest comments. \`detail\` adds every task field except comments, followers and files (\`limit\` must be at most ${DETAILS_IN_LIST_MAX}). \`structure\` adds ${expandedFieldNames.structure.join(', ')}. \`assignees\` adds all assignees in order. ${FIELDS_EXPANSION_DESCRIPTION}.`,
    }),
  fields: z.array(z.string()).optional(),
  ...pageInput,
});
export type TaskListInput = z.infer<typeof taskListInput>;

export const taskIdInput = z.strictObject({ id: integerId });
export const taskDetailInput = taskIdInput.extend({
  expand: buildNameListSchema(['detail', 'structure', 'assignees', 'recurrence', 'customFields'])
    .optional()
    .meta({
      description: `\`detail\` adds ${requestedFieldNames.join(', ')}. \`structure\` adds ${expandedFieldNames.structure.join(', ')}. \`assignees\` adds all assignees in order. \`recurrence\` adds the recurrence, or null if the task doesn't repeat. ${FIELDS_EXPANSION_DESCRIPTION}.`,
    }),
  fields: z.array(z.string()).optional(),
});

const { categoryId, typeId, ...others } = buildInputSchemas('create');
export const taskCreateInput = z.strictObject({
  projectId: integerId,
  ...insertKeysAfter('assigneeId', { categoryId, typeId }, others),
  checklist: newChecklistItems.optional().meta({ description: 'The checklist items, in order.' }),
  recurrence: ruleInput
    .optional()
    .meta({ description: 'Makes the task repeat, as `PUT /tasks/{id}/recurrence` does.' }),
});
export type TaskCreateInput = z.infer<typeof taskCreateInput>;

export const taskUpdateInput = z.strictObject({ id: integerId, ...buildInputSchemas('update') });
export type TaskUpdateInput = z.infer<typeof taskUpdateInput>;

function insertKeysAfter<F extends object, M extends object>(place: keyof F, more: M, fields: F): F & M {
  const entries = Object.entries(fields).flatMap((each) =>
    each[0] === place ? [each, ...Object.entries(more)] : [each],
  );
  return Object.fromEntries(entries) as F & M;
}
