import * as z from 'zod';
import { changeOrigins } from '../../kernel/access/access.ts';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { buildAsciiTextSchema, integerId, timestamp } from '../../kernel/operation/schema.ts';
import { activityTypes } from '../model/activity-types.ts';
import { personSummary, taskName } from '../summaries/summaries.schema.ts';

export const activity = z
  .object({
    id: integerId,
    type: z.enum(activityTypes),
    field: buildAsciiTextSchema(50).nullable().meta({ description: 'The task field that changed.' }),
    from: taskName
      .nullable()
      .meta({ description: 'The previous value: a user id for a person, and null for a description.' }),
    to: taskName.nullable(),
    actor: personSummary,
    via: z.enum(changeOrigins),
    commentId: integerId.nullable(),
    createdAt: timestamp,
  })
  .meta({
    id: 'Activity',
    example: {
      id: 5120,
      type: 'status_changed',
      field: 'status',
      from: 'todo',
      to: 'in_progress',
      actor: examplePerson,
      via: 'api_key',
      commentId: null,
      createdAt: '2026-03-02T09:30:00.000Z',
    },
  });

export const activityPage = buildPageSchema(activity).meta({ id: 'ActivityPage' });
export const activityListInput = z.strictObject({ id: integerId, ...pageInput });
