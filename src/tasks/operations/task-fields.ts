import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import {
  findTaskFields,
  listDefinitions,
  selectTaskProjects,
} from '../custom-fields/custom-fields.queries.ts';
import { customFieldsInput, taskFieldValues } from '../custom-fields/custom-fields.schema.ts';
import { assertContextUnchanged, findFieldContextForItems } from '../custom-fields/field-context.ts';
import {
  parseStoredValues,
  pickProjectFields,
  planFieldValueChange,
  toFieldKey,
  toFieldText,
  toVisibleValue,
} from '../custom-fields/field-values.ts';
import { toField } from '../custom-fields/list-custom-fields.ts';
import { parseSubmittedValue, toSubmittedText } from '../custom-fields/submitted-values.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { prepareTaskEdit } from '../write/edit-task.ts';

/** For pages and agents, which need the names of fields, options and people. */
export const listTaskFields = defineOperation(
  {
    name: 'listTaskFields',
    summary: "List the custom fields of a task's project with the task's values",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: taskFieldValues,
  },
  async ({ db, caller }, { id }) => {
    const [task, definitions] = await db.batch([findTaskFields(caller, id), listDefinitions(caller)]);
    if (!task) throw taskNotFoundError(id);
    const stored = parseStoredValues(task.field_values);
    const names: Readonly<Record<string, string>> = JSON.parse(task.people);
    const data = pickProjectFields(definitions, task.field_ids).map((field) => {
      const value = toVisibleValue(field, stored);
      const person = field.type === 'person' && typeof value === 'string' ? value : null;
      return {
        ...toField(field),
        value,
        person: person === null ? null : { id: person, name: names[person] ?? 'Former member' },
        text: toFieldText(field, value, (userId) => names[userId] ?? 'Former member'),
      };
    });
    return { data };
  },
);

/** For forms, which send every value as text. */
export const setTaskField = defineOperation(
  {
    name: 'setTaskField',
    summary: "Set or clear a task's value for a custom field",
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput.extend({
      number: integerId.meta({ description: "The number in the field's id." }),
      value: z.string().nullish(),
      options: z
        .array(integerId)
        .nullish()
        .meta({ description: 'The selected options of a multi_select field.' }),
    }),
    output: z.object({ name: z.string(), was: z.string().nullable() }),
    replay: { rebuild: async () => ({ name: '', was: null }) },
  },
  async (ctx, { id, number, value, options }) => {
    const { caller } = ctx;
    const key = toFieldKey(number);
    let changed: { name: string; was: string | null } = { name: '', was: null };
    // The field's type isn't known yet, so the value might be a person's id.
    const context = findFieldContextForItems(
      ctx,
      [{ customFields: { [key]: value ?? null } }],
      selectTaskProjects(caller, [id]),
    );
    const writes = await prepareTaskEdit(ctx, id, { fields: context }, (task, { fields }) => {
      if (!fields) throw new Error("the project's custom fields were not read");
      const field = fields.projects.get(task.project)?.find((each) => each.id === number);
      const type = field?.type;
      const current = field ? toVisibleValue(field, parseStoredValues(task.field_values)) : null;
      changed = { name: field?.name ?? '', was: toSubmittedText(current) };
      const sent = field ? parseSubmittedValue(field, value, options) : (value ?? null);
      return {
        changes: planFieldValueChange(
          customFieldsInput.parse({ [key]: sent }),
          task,
          fields,
          ({ field: nameField }) => nameField(type === 'multi_select' ? 'options' : 'value'),
        ),
        assertions: assertContextUnchanged(ctx, fields),
        form: {
          wanted: type === 'multi_select' ? { options: options ?? null } : { value: value ?? null },
          current: type === 'multi_select' ? { options: current } : { value: toSubmittedText(current) },
          madeBy: { type: 'task.updated', id, changes: ['customFields'] },
        },
      };
    });
    if (writes.length > 0) await ctx.db.batch(writes);
    return changed;
  },
);
