import * as z from 'zod';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { timestamp } from '../../kernel/operation/schema.ts';
import { listedTask, listedTaskExample } from '../model/tasks.schema.ts';
import { personSummary } from '../summaries/summaries.schema.ts';

export const trashInput = z.strictObject(pageInput);

const trashedTask = listedTask
  .extend({ deletedAt: timestamp, deletedBy: personSummary.pick({ id: true, name: true }) })
  .meta({
    id: 'TrashedTask',
    example: {
      ...listedTaskExample,
      deletedAt: '2026-03-02T09:30:00.000Z',
      deletedBy: { id: examplePerson.id, name: examplePerson.name },
    },
  });
export const trashPage = buildPageSchema(trashedTask).meta({ id: 'TrashPage' });
