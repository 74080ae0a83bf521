import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { forbiddenError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import {
  assertLabelsMax,
  assertLabelUnchanged,
  countLabels,
  findLabel,
  LABEL_ROWS_MAX,
  type LabelRow,
  listLabelColors,
  listLabelNames,
  listLabels as listLabelRows,
  updateLabelRow,
} from './labels.queries.ts';
import { label, labelChoices, labelUpdateInput } from './labels.schema.ts';

export const listLabels = defineOperation(
  {
    name: 'listLabels',
    summary: 'List tags by name',
    description:
      'Returns the tags of all unarchived tasks that you can see, each with its color and description.',
    access: 'projects:read',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({
      ...pageInput,
      projectId: integerId.optional().meta({ description: 'Only tags in this project.', example: 7 }),
    }),
    output: buildPageSchema(label).meta({ id: 'LabelPage' }),
  },
  async ({ db, caller }, { projectId, ...input }) => {
    const range = toRange(input, 1);
    const [{ total, scanned }, rows] = await db.batch([
      countLabels(caller, projectId),
      listLabelRows(caller, projectId, range),
    ]);
    if (scanned > LABEL_ROWS_MAX) {
      throw invalidRequestError(
        ({ field }) =>
          `This workspace has more than ${formatNumber(LABEL_ROWS_MAX)} tags. Add ${field('projectId')} to list one project's tags.`,
      );
    }
    return buildPage({ range, total, rows, key: (row) => [row.key], show: toLabel });
  },
);

const NAMES_MAX = 100;

export const listLabelChoices = defineOperation(
  {
    name: 'listLabelChoices',
    summary: 'List tag colors, and up to 100 tag names',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({ withNames: z.boolean().default(false) }),
    output: labelChoices,
  },
  async ({ db, caller }, { withNames }) => {
    const [colors, names = []] = await db.batch([
      listLabelColors(caller),
      ...(withNames ? [listLabelNames(caller, NAMES_MAX)] : []),
    ]);
    return { colors, names: names.map(({ name }) => name) };
  },
);

export const updateLabel = defineOperation(
  {
    name: 'updateLabel',
    summary: "Change a tag's color and description",
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: labelUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { label: name, ...wanted }) => {
    const { caller, db } = ctx;
    const [found] = await db.batch([findLabel(caller, name)]);
    if (!found) throw notFoundError('tag', name, ({ call }) => call('listLabels'));
    if (ctx.reach !== 'all') {
      throw forbiddenError(
        `Only leads, admins and owners can change tags; your role is ${caller.role}. Ask one of them.`,
      );
    }
    const current = { color: found.color, description: found.description };
    requireCurrentSnapshot(ctx.snapshot, wanted, current, { type: 'label.updated', named: found.name });
    const next = {
      color: wanted.color === undefined ? current.color : wanted.color,
      description: wanted.description === undefined ? current.description : wanted.description || null,
    };
    const changed = (['color', 'description'] as const).filter((field) => next[field] !== current[field]);
    if (changed.length === 0) return { success: true as const };
    const changes = changed.map((field) => [field, { from: current[field], to: next[field] }]);
    await db.batch([
      assertLabelUnchanged(caller, found),
      updateLabelRow(caller, { key: found.key, ...next }),
      assertLabelsMax(caller),
      recordEvent(ctx, {
        type: 'label.updated',
        changes: { name: { from: found.name, to: found.name }, ...Object.fromEntries(changes) },
      }),
    ]);
    return { success: true as const };
  },
);

function toLabel({ name, color, description, tasks }: LabelRow) {
  return { name, color, description, taskCount: tasks };
}
