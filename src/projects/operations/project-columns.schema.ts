import * as z from 'zod';
import { buildPlainTextSchema, integerId } from '../../kernel/operation/schema.ts';
import { type TaskStatus, taskStatuses } from '../../tasks/fields.ts';
import { colorText } from '../../tasks/summaries/summaries.schema.ts';

const LABEL_CHARACTERS_MAX = 50;
const COLUMN_LIMIT_MAX = 1_000;

export interface StoredColumn {
  readonly label: string | null;
  readonly isHidden: boolean;
  readonly limit: number | null;
}

const hiddenInNewProjects: readonly TaskStatus[] = ['internal_review', 'client_review'];

export const newProjectColumns = JSON.stringify(
  taskStatuses.map(
    (status): StoredColumn => ({
      label: status === 'completed' ? 'Done' : null,
      isHidden: hiddenInNewProjects.includes(status),
      limit: null,
    }),
  ),
);

/** `stored` is null for a project without custom columns, which shows all statuses. */
export function parseColumns(stored: string | null): Readonly<Record<TaskStatus, StoredColumn>> {
  const columns = stored === null ? [] : (JSON.parse(stored) as StoredColumn[]);
  const entries = taskStatuses.map((status, index) => [
    status,
    columns[index] ?? { label: null, isHidden: false, limit: null },
  ]);
  return Object.fromEntries(entries);
}

export function serializeColumns(columns: Readonly<Record<TaskStatus, StoredColumn>>): string {
  return JSON.stringify(taskStatuses.map((status) => columns[status]));
}

const label = buildPlainTextSchema(LABEL_CHARACTERS_MAX);
const limit = z.int().min(1).max(COLUMN_LIMIT_MAX).nullable();

export const projectColumn = z
  .object({
    status: z.enum(taskStatuses).meta({ description: 'A task status. Every project has the same statuses.' }),
    label: label.meta({ description: "The column's name. Defaults to the status's name." }),
    isHidden: z.boolean().meta({ description: 'A hidden column is still shown if it contains tasks.' }),
    limit: limit.meta({
      description: 'Above this number of tasks, the column shows a warning. It still accepts tasks.',
    }),
  })
  .meta({
    id: 'ProjectColumn',
    example: { status: 'completed', label: 'Done', isHidden: false, limit: null },
  });

export const projectColumnUpdateInput = z.strictObject({
  id: integerId,
  column: z.enum(taskStatuses),
  label: z
    .string()
    .trim()
    .max(LABEL_CHARACTERS_MAX)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .nullable()
    .optional()
    .meta({ description: "Leave empty to use the status's name." }),
  isHidden: z.boolean().optional(),
  limit: limit.optional(),
});

export const statusesInProject = z.object({
  data: z.array(
    z.object({
      value: z.enum(taskStatuses),
      label,
      color: colorText,
      isShown: z.boolean(),
      limit,
      taskCount: z.int().nullable(),
    }),
  ),
});
