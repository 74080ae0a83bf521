// Long because it declares everything that a list of tasks and a task show.
import * as z from 'zod';
import { pageInput, pageOf } from '../../kernel/lists/pagination.ts';
import { examplePerson, exampleUserId } from '../../kernel/operation/examples.ts';
import {
  asciiText,
  civilDate,
  instant,
  integerId,
  jsonBytesMax,
  nameList,
  plainText,
  timestamp,
} from '../../kernel/operation/schema.ts';
import {
  comment,
  personSummary,
  projectName,
  referenceText,
  taskName,
} from '../summaries/summaries.schema.ts';

/** In board order; a status is stored as its index. */
export const taskStatuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskPriorities = ['low', 'medium', 'high'] as const;
export type TaskPriority = (typeof taskPriorities)[number];

const status = z.enum(taskStatuses).meta({ example: 'in_progress' });
const priority = z.enum(taskPriorities).meta({ example: 'high' });
const userId = z.string().min(1).max(100).meta({ description: 'A user id.', example: exampleUserId });

const exampleTask = {
  id: 1042,
  name: 'Draft the launch page',
  status: 'in_progress',
  priority: 'high',
  assignee: examplePerson,
  project: { id: 7, name: 'Spring launch' },
  tags: ['web', 'copy'],
  deadline: '2026-03-09',
  isArchived: false,
} as const;

const TAG_CHARACTERS_MAX = 30;
const TAGS_MAX = 20;

/** Written by forms of the web app alone. */
export const tags = z.array(plainText(TAG_CHARACTERS_MAX)).max(TAGS_MAX);

export const taskTagsInput = z.strictObject({
  id: integerId,
  tags: z
    .array(
      z
        .string()
        .trim()
        .min(1)
        .max(TAG_CHARACTERS_MAX)
        .refine((tag) => !/\p{Cc}/u.test(tag), 'must not hold control characters'),
    )
    .max(TAGS_MAX),
});

export const COMMENTS_IN_DETAIL = 10;
export const COMMENTS_IN_LIST = 100;
/** Limits for the comments of one task in a list, as JSON: of their contents, and of everything with the authors. */
export const COMMENTS_CONTENT_BYTES = 64 * 1024;
export const COMMENTS_BYTES = 76_000;
const listedComments = z.array(comment).max(COMMENTS_IN_LIST);
jsonBytesMax.add(listedComments, { bytes: COMMENTS_BYTES });

const DESCRIPTION_CHARACTERS_MAX = 100_000;
/** Sanitising writes `&` as five characters. */
const DESCRIPTION_STORED_MAX = 5 * DESCRIPTION_CHARACTERS_MAX;

const taskFields = {
  id: integerId,
  name: taskName.meta({ description: 'Verbatim, never normalised.' }),
  status,
  priority,
  assignee: personSummary.nullable(),
  project: z.object({ id: integerId, name: projectName }),
  tags,
  deadline: civilDate.nullable(),
  isArchived: z.boolean(),
};

const reference = z.object({ id: integerId, key: referenceText, value: referenceText });
const description = z
  .string()
  .max(DESCRIPTION_STORED_MAX)
  .nullable()
  .meta({ description: 'Sanitised rich text (HTML).' });

const detailFields = {
  startDate: civilDate.nullable(),
  scheduledTime: asciiText(5)
    .nullable()
    .meta({ description: 'HH:MM on the day of the deadline.', example: '10:00' }),
  category: reference.nullable(),
  type: reference.nullable(),
  customEstimatedHours: asciiText(7).nullable(),
  createdBy: personSummary,
  createdAt: timestamp,
  updatedAt: timestamp,
};

/** What a list shows of its tasks only with `expand=detail`. */
export const fieldsOfDetail = ['description', ...Object.keys(detailFields)];
/** Except these, which `fields` alone may ask for. */
export const datesOfTask = ['createdAt', 'updatedAt'];
export const DETAILS_IN_LIST_MAX = 50;
/** Of the descriptions on one page, as they are stored; as JSON they may take twice as much. */
export const DETAILS_BYTES_MAX = 2_000_000;
/** As JSON: 100 tasks with their comments, or 50 with comments and descriptions. */
const PAGE_BYTES_MAX = 8_250_000;

/** docs/contract.md#fields-of-a-task; `comments` and the fields of the detail only when asked for. */
const task = z
  .object({
    ...taskFields,
    description: description.optional(),
    ...z.object(detailFields).partial().shape,
    comments: listedComments.optional(),
  })
  .meta({ id: 'Task', example: exampleTask });
export const taskPage = pageOf(task).meta({ id: 'TaskPage' });
jsonBytesMax.add(taskPage.shape.data, { bytes: PAGE_BYTES_MAX });

export const taskDetail = z
  .object({
    ...taskFields,
    description,
    startDate: detailFields.startDate,
    scheduledTime: detailFields.scheduledTime,
    category: detailFields.category,
    type: detailFields.type,
    customEstimatedHours: detailFields.customEstimatedHours,
    createdBy: detailFields.createdBy,
    followers: z.array(personSummary),
    comments: z.array(comment).max(COMMENTS_IN_DETAIL).meta({ description: 'The last 10, oldest first.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'TaskDetail',
    example: {
      ...exampleTask,
      description: '<p>Hero, three benefits, one form.</p>',
      startDate: '2026-03-02',
      scheduledTime: null,
      category: { id: 2, key: 'design', value: 'Design' },
      type: null,
      customEstimatedHours: '6.5',
      createdBy: exampleTask.assignee,
      followers: [exampleTask.assignee],
      comments: [],
      createdAt: '2026-03-01T08:00:00.000Z',
      updatedAt: '2026-03-02T09:30:00.000Z',
    },
  });
export type TaskDetail = z.infer<typeof taskDetail>;

const name = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => text.trim() !== '', { message: 'must not be blank' })
  .meta({ example: 'Draft the launch page' });
const writtenDescription = z.string().max(DESCRIPTION_CHARACTERS_MAX).meta({
  description: 'Rich text (HTML); unsafe markup is removed.',
  example: '<p>Hero, three benefits, one form.</p>',
});
const customEstimatedHours = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,2})?$/, 'must be decimal hours from 0 to 9999.99, as a string')
  .meta({ description: 'Hours; overrides the default of the type and the category.', example: '6.5' });

const taskScopes = ['mine', 'all'] as const;

/** Every status but the last. */
export const OPEN = 'open';
export const taskSorts = ['created', 'due', 'updated'] as const;
const ASSIGNEES_MAX = 50;
const IDS_MAX = 100;

export const taskListInput = z.strictObject({
  projectId: integerId.optional(),
  status: nameList([...taskStatuses, OPEN])
    .min(1)
    .optional()
    .meta({
      description: 'Comma-separated; open is all but completed.',
      example: ['in_progress'],
    }),
  priority: nameList(taskPriorities)
    .min(1)
    .optional()
    .meta({
      description: 'Comma-separated.',
      example: ['high'],
    }),
  assigneeId: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(ASSIGNEES_MAX)
    .optional()
    .meta({
      description: 'Comma-separated user ids; me is the caller, none finds what nobody is assigned.',
      example: ['me'],
    }),
  dueFrom: civilDate.optional().meta({ description: 'First deadline, inclusive.' }),
  dueTo: civilDate.optional().meta({ description: 'Last deadline, inclusive.' }),
  updatedSince: instant.optional().meta({ description: 'Changed at this time or later.' }),
  sort: z.enum(taskSorts).default('created').meta({
    description:
      'created and updated: newest first; due: earliest first, no deadline last. Ties by id in the same direction.',
  }),
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Substring of the name or description, any case.', example: 'launch' }),
  isArchived: z.boolean().optional().meta({
    description:
      'true lists the archived tasks instead of the others. Without it ids find both, and everything else the others.',
  }),
  ids: z
    .array(integerId)
    .min(1)
    .refine((ids) => new Set(ids).size <= IDS_MAX, `must name at most ${IDS_MAX} tasks`)
    .optional()
    .meta({
      description: 'Comma-separated: only these tasks, archived or not, of those that you can see.',
      example: [1, 2],
    }),
  scope: z
    .enum(taskScopes)
    .optional()
    .meta({ description: 'Session tokens default to mine, other credentials to all.' }),
  mine: z.boolean().optional().meta({ description: 'true is scope=mine, false is scope=all; scope wins.' }),
  expand: nameList(['comments', 'detail'])
    .optional()
    .meta({
      description: `comments: the newest of each task; detail: every field of the detail but comments, followers and files, for a limit of ${DETAILS_IN_LIST_MAX} at most.`,
    }),
  /** The names that the answer is trimmed to. */
  fields: z.array(z.string()).optional(),
  ...pageInput,
});
export type TaskListInput = z.infer<typeof taskListInput>;

export const taskIdInput = z.strictObject({ id: integerId });

export const taskCreateInput = z.strictObject({
  projectId: integerId,
  name,
  description: writtenDescription.nullish(),
  status: status.default('todo'),
  priority: priority.default('medium'),
  assigneeId: userId.nullish(),
  categoryId: integerId.nullish(),
  typeId: integerId.nullish(),
  startDate: civilDate.nullish(),
  deadline: civilDate.nullish(),
  customEstimatedHours: customEstimatedHours.nullish(),
});
export type TaskCreateInput = z.infer<typeof taskCreateInput>;

export const taskUpdateInput = z.strictObject({
  id: integerId,
  name: name.optional(),
  description: writtenDescription.nullish(),
  status: status.optional(),
  priority: priority.optional(),
  assigneeId: userId.nullish().meta({ description: 'null unassigns.' }),
  startDate: civilDate.nullish(),
  deadline: civilDate.nullish(),
  customEstimatedHours: customEstimatedHours.nullish(),
});
export type TaskUpdateInput = z.infer<typeof taskUpdateInput>;
