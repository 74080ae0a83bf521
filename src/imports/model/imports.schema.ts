import * as z from 'zod';
import { DAY_MS } from '../../kernel/dates/durations.ts';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { buildPlainTextSchema, civilDate, integerId, timestamp } from '../../kernel/operation/schema.ts';
import { taskPriorities, taskStatuses } from '../../tasks/fields.ts';
import { personSummary, taskName } from '../../tasks/summaries/summaries.schema.ts';
import { outcomes } from '../plan/parse-task.ts';
import { COLUMNS_MAX } from '../sources/csv-records.ts';
import { columnUses, importFields } from '../sources/source.ts';

export const IMPORT_BYTES_MAX = 10 * 1024 * 1024;
/** The maximum numbers of ready and running imports per workspace. */
export const READY_IMPORTS_MAX = 20;
export const RUNNING_IMPORTS_MAX = 2;
export const READY_LIFETIME_MS = 7 * DAY_MS;
export const REPORT_LIFETIME_MS = 90 * DAY_MS;
const CHOICES_MAX = 200;
export const KEPT_CHOICES_MAX = 1_000;
export const SOURCE_CHARACTERS_MAX = 50;
export const VALUES_MAX = 100;
export const NOTES_MAX = 100;
export const SAMPLE_TASKS = 20;
export const TEXT_CHARACTERS_MAX = 200;

const columnUse = z.enum(columnUses);

const choice = z.strictObject({
  column: z
    .int()
    .min(0)
    .max(COLUMNS_MAX - 1),
  text: z.string().min(1).max(TEXT_CHARACTERS_MAX),
  means: z.string().min(1).max(100),
});

const optionShape = {
  columns: z
    .array(columnUse)
    .min(1)
    .max(COLUMNS_MAX)
    .optional()
    .meta({
      description:
        'What each column contains, in file order: a field, `text` to keep it in the description, or `skip`. Guessed if omitted.',
      example: ['id', 'name', 'status', 'text'],
    }),
  choices: z
    .array(choice)
    .max(CHOICES_MAX)
    .optional()
    .meta({
      description:
        "What values in the file mean: a status, a priority, a person's id, or `text` to keep them in the description.",
      example: [{ column: 2, text: 'QA', means: 'internal_review' }],
    }),
  dateOrder: z.enum(['dmy', 'mdy']).optional().meta({
    description:
      'Whether dates such as 3/4/2026 are day-first (`dmy`) or month-first (`mdy`). Detected if omitted.',
    example: 'dmy',
  }),
};
const options = z.strictObject(optionShape);
export type ImportOptions = z.output<typeof options>;

const source = z.string().trim().min(1).max(SOURCE_CHARACTERS_MAX);

export const importIdInput = z.strictObject({ id: integerId });
export const importCreateInput = z.strictObject({
  projectId: integerId.meta({ description: 'The project to import the tasks into.' }),
  attachmentId: integerId.meta({
    description: "One of the project's files: a CSV file, or the JSON export of a Trello board.",
  }),
  source: source.optional().meta({
    description:
      "Where the ids in the file come from. Tasks with the same source and id are imported into a project only once. Defaults to the Trello board, such as `trello:5f00…`, or to the file's name.",
    example: 'jira',
  }),
  ...optionShape,
});
export const importUpdateInput = z.strictObject({
  ...importIdInput.shape,
  source: source.optional().meta({ description: 'Unchanged if omitted.', example: 'jira' }),
  ...optionShape,
});

const count = z.int().min(0);
const shortText = buildPlainTextSchema(TEXT_CHARACTERS_MAX);

const columnReport = z.object({
  header: shortText,
  use: columnUse,
  filled: count,
  counts: z.object(
    Object.fromEntries(outcomes.map((outcome) => [outcome, count])) as Record<
      (typeof outcomes)[number],
      typeof count
    >,
  ),
  examples: z.array(shortText).max(3),
});
const valueReport = z.object({
  column: count,
  text: shortText,
  count,
  means: buildPlainTextSchema(100).nullable(),
  personName: shortText.nullable().meta({ description: 'The name of the person if `means` is a user id.' }),
});
const note = z.object({ row: z.int().nullable(), text: buildPlainTextSchema(2 * TEXT_CHARACTERS_MAX) });
const sampleTask = z.object({
  row: z.int(),
  name: taskName,
  status: z.enum(taskStatuses),
  priority: z.enum(taskPriorities),
  deadline: civilDate.nullable(),
  assignees: z.array(shortText).max(10),
  parent: taskName.nullable(),
});

export const importReport = z.object({
  columns: z.array(columnReport).max(COLUMNS_MAX),
  values: z.array(valueReport).max(VALUES_MAX),
  moreValues: count,
  notes: z.array(note).max(NOTES_MAX),
  moreNotes: count,
  missing: z.array(z.enum(importFields)).max(importFields.length),
  sample: z.array(sampleTask).max(SAMPLE_TASKS),
});
export type ImportReport = z.output<typeof importReport>;

const listedShape = {
  id: integerId,
  status: z.enum(['ready', 'running', 'completed', 'canceled', 'failed']),
  projectId: integerId,
  fileName: buildPlainTextSchema(255),
  source: buildPlainTextSchema(SOURCE_CHARACTERS_MAX),
  total: count,
  existing: count,
  made: count,
  problem: buildPlainTextSchema(500).nullable(),
  createdBy: personSummary,
  createdAt: timestamp,
  finishedAt: timestamp.nullable(),
};
const exampleImport = {
  id: 4,
  status: 'completed' as const,
  projectId: 7,
  fileName: 'tasks.csv',
  source: 'csv',
  total: 1,
  existing: 0,
  made: 1,
  problem: null,
  createdBy: examplePerson,
  createdAt: '2026-03-02T09:30:00.000Z',
  finishedAt: '2026-03-02T09:30:04.000Z',
};
const listedImport = z.object(listedShape).meta({ id: 'ListedImport', example: exampleImport });
export const importPage = buildPageSchema(listedImport).meta({ id: 'ImportPage' });
export const importListInput = z.strictObject(pageInput);

export const importDetail = z
  .object({ ...listedShape, dateOrder: z.enum(['dmy', 'mdy']).nullable(), report: importReport.nullable() })
  .meta({
    id: 'Import',
    example: {
      ...exampleImport,
      dateOrder: null,
      report: {
        columns: [
          {
            header: 'Task',
            use: 'name',
            filled: 1,
            counts: { made: 1, mapped: 0, keptAsText: 0, leftOut: 0, notRecognized: 0 },
            examples: ['Write the FAQ'],
          },
        ],
        values: [],
        moreValues: 0,
        notes: [],
        moreNotes: 0,
        missing: ['status'],
        sample: [
          {
            row: 1,
            name: 'Write the FAQ',
            status: 'todo',
            priority: 'medium',
            deadline: null,
            assignees: [],
            parent: null,
          },
        ],
      },
    },
  });
