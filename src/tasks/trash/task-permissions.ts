import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { findProjectOwner } from './trash.queries.ts';

export const getTaskPermissions = defineOperation(
  {
    name: 'getTaskPermissions',
    summary: 'Check whether you can delete a task',
    access: 'session',
    capability: 'deleteTasks',
    effect: 'read',
    input: taskIdInput,
    output: z.object({ mayDelete: z.boolean() }),
  },
  async ({ caller, db, reach }, { id }) => {
    const [project] = await db.batch([findProjectOwner(caller, id)]);
    if (!project) throw taskNotFoundError(id);
    return { mayDelete: reach === 'all' || project.owner === caller.member };
  },
);
