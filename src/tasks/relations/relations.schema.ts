import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { taskStatuses } from '../fields.ts';
import { projectName, taskName } from '../summaries/summaries.schema.ts';

export const RELATIONS_MAX = 100;

export const relationTypes = ['blocks', 'blocked_by', 'relates_to', 'duplicates', 'duplicated_by'] as const;
export type RelationType = (typeof relationTypes)[number];

const relationType = z
  .enum(relationTypes)
  .meta({ description: 'How the task in the path relates to the other task.', example: 'blocked_by' });

export const relation = z
  .object({
    id: integerId,
    type: relationType,
    task: z.object({
      id: integerId,
      name: taskName,
      status: z.enum(taskStatuses),
      isArchived: z.boolean(),
      project: z.object({ id: integerId, name: projectName }),
    }),
  })
  .meta({
    id: 'Relation',
    example: {
      id: 31,
      type: 'blocked_by',
      task: {
        id: 1040,
        name: 'Approve the budget',
        status: 'todo',
        isArchived: false,
        project: { id: 7, name: 'Spring launch' },
      },
    },
  });
export type Relation = z.output<typeof relation>;

export const relationPage = buildPageSchema(relation).meta({ id: 'RelationPage' });
export const relationListInput = z.strictObject({ id: integerId, ...pageInput });
export const newRelationInput = z.strictObject({
  id: integerId,
  type: relationType,
  taskId: integerId.meta({ description: 'The task to relate to.', example: 1040 }),
});
export const relationKeyInput = z.strictObject({ id: integerId, relationId: integerId });
