import * as z from 'zod';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { projectStatusRows, taskStatusRows } from '../../schema/cell/reference.ts';
import * as queries from './reference.queries.ts';
import { projectStatus, taskStatus } from './reference.schema.ts';

const listInput = z.strictObject({
  ...pageInput,
  includeInactive: z
    .boolean()
    .default(false)
    .meta({ description: 'Set to true to include inactive statuses.' }),
});

const getInput = z.strictObject({ id: integerId });

export const listTaskStatuses = defineOperation(
  {
    name: 'listTaskStatuses',
    summary: 'List task statuses in board order',
    description:
      "Task statuses are the same in every workspace. To set a task's `status`, use the `value` of one of these statuses.",
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: listInput,
    output: buildPageSchema(taskStatus).meta({ id: 'TaskStatusPage' }),
  },
  async (ctx, input) => listStatuses(ctx, taskStatusRows, input),
);

export const getTaskStatus = defineOperation(
  {
    name: 'getTaskStatus',
    summary: 'Get a task status',
    description: 'Also returns inactive statuses.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: getInput,
    output: taskStatus,
  },
  async ({ db }, { id }) => {
    const [found] = await db.batch([queries.getStatus(taskStatusRows, id)]);
    if (!found) throw notFoundError('task status', id, ({ call }) => call('listTaskStatuses'));
    return toStatus(found);
  },
);

export const listProjectStatuses = defineOperation(
  {
    name: 'listProjectStatuses',
    summary: 'List project statuses in order',
    description: 'Project statuses are the same in every workspace.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: listInput,
    output: buildPageSchema(projectStatus).meta({ id: 'ProjectStatusPage' }),
  },
  async (ctx, input) => listStatuses(ctx, projectStatusRows, input),
);

export const getProjectStatus = defineOperation(
  {
    name: 'getProjectStatus',
    summary: 'Get a project status',
    description: 'Also returns inactive statuses.',
    access: 'projects:read',
    capability: 'seeReference',
    effect: 'read',
    input: getInput,
    output: projectStatus,
  },
  async ({ db }, { id }) => {
    const [found] = await db.batch([queries.getStatus(projectStatusRows, id)]);
    if (!found) throw notFoundError('project status', id, ({ call }) => call('listProjectStatuses'));
    return toStatus(found);
  },
);

async function listStatuses({ db }: Context, table: queries.StatusTable, input: z.output<typeof listInput>) {
  const { includeInactive } = input;
  const range = toRange(input, 2);
  const [rows, total] = await db.batch([
    queries.listStatuses(table, { ...range, includeInactive }),
    queries.countStatuses(table, includeInactive),
  ]);
  return buildPage({ range, total, rows, key: (row) => [row.position, row.id], show: toStatus });
}

function toStatus({ id, value, label, color, position, active }: queries.StatusRow) {
  return { id, value, label, color, order: position, isActive: active === 1 };
}
