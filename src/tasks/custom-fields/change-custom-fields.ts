// This file is long because all changes to custom fields share their permission check and their assertions.
import type { FieldChange } from '../../events/log/event-types.ts';
import { recordEvent } from '../../events/log/record.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import type { FieldOption } from '../../schema/cell/custom-fields.ts';
import { projectNotFoundError } from '../visibility/project-visibility.policy.ts';
import {
  FIELD_RESTORE_WINDOW_MS,
  fieldNotFoundError,
  requireOptionsFit,
  requirePermissionToChangeFields,
} from './custom-fields.policy.ts';
import {
  addNewestFieldToProject,
  assertFieldsMax,
  assertFieldUnchanged,
  assertProjectFieldsUnchanged,
  type FieldDefinition,
  findDefinition,
  findDeletedField,
  findNewestField,
  findProjectFields,
  insertField,
  listDefinitions,
  newestFieldId,
  newestFieldKey,
  setFieldDeleted,
  setProjectFieldIds,
  updateField,
} from './custom-fields.queries.ts';
import {
  customFieldCreated,
  customFieldCreateInput,
  customFieldIdInput,
  customFieldUpdateInput,
  FIELDS_PER_PROJECT_MAX,
  projectFieldsInput,
} from './custom-fields.schema.ts';
import { toFieldKey } from './field-values.ts';

export const createCustomField = defineOperation(
  {
    name: 'createCustomField',
    summary: 'Create a custom field',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: customFieldCreateInput,
    output: customFieldCreated,
    replay: { entity: newestFieldId, rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { name, type, options: sent, projectId }) => {
    const turnOn = projectId == null ? [] : await planAddingFieldToProject(ctx, projectId);
    requirePermissionToChangeFields(ctx);
    requireOptionsFit(type, sent);
    const options = sent.map((option, index) => ({ ...option, id: index + 1 }));
    const [created] = await ctx.db.writeThenRead(
      [
        insertField(ctx.caller, { name, type, options }),
        assertFieldsMax(ctx.caller),
        recordEvent(ctx, {
          type: 'custom_field.created',
          entity: newestFieldKey,
          changes: {
            name: { from: null, to: name },
            type: { from: null, to: type },
            ...(options.length > 0 && { options: { from: null, to: toOptionNames(options) } }),
          },
        }),
        ...turnOn,
      ],
      [findNewestField(ctx.caller)],
    );
    return created;
  },
);

async function planAddingFieldToProject(ctx: Context, id: number) {
  const { caller, db } = ctx;
  const [project, known] = await db.batch([findProjectFields(caller, id), listDefinitions(caller)]);
  if (!project) throw projectNotFoundError(id, 'projectId');
  const used: readonly number[] = JSON.parse(project.field_ids ?? '[]');
  const shown = used.filter((each) => known.some((field) => field.id === each));
  if (shown.length >= FIELDS_PER_PROJECT_MAX) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('projectId')} must be a project with fewer than ${FIELDS_PER_PROJECT_MAX} fields. Turn off a field first.`,
    );
  }
  // Deleted fields stay in the project's list, so that restoring a field also restores its values.
  const deleted = used.filter((each) => !shown.includes(each));
  return [
    assertProjectFieldsUnchanged(caller, project),
    addNewestFieldToProject(caller, id, [...shown, ...deleted].slice(0, FIELDS_PER_PROJECT_MAX - 1)),
    recordEvent(ctx, {
      type: 'custom_field.updated',
      project: id,
      entity: newestFieldKey,
      changes: { isOn: { from: false, to: true } },
    }),
  ];
}

export const updateCustomField = defineOperation(
  {
    name: 'updateCustomField',
    summary: 'Rename a custom field, or change its options',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: customFieldUpdateInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, ...wanted }) => {
    const { caller, db } = ctx;
    const [field] = await db.batch([findDefinition(caller, id)]);
    if (!field) throw fieldNotFoundError(id);
    requirePermissionToChangeFields(ctx);
    // The properties must be in the same order as on pages. Otherwise, their fingerprints differ.
    const shownOptions = field.options.map(({ id: option, name, color }) => ({ id: option, name, color }));
    const current = { name: field.name, options: shownOptions };
    requireCurrentSnapshot(ctx.snapshot, wanted, current, {
      type: 'custom_field.updated',
      id: toFieldKey(id),
    });
    requireOptionsFit(field.type, wanted.options ?? []);
    const next = { ...field, name: wanted.name ?? field.name, ...planOptions(field, wanted.options) };
    const changes = {
      ...(next.name !== field.name && { name: { from: field.name, to: next.name } }),
      ...toOptionChange(field.options, next.options),
    };
    if (Object.keys(changes).length === 0) return { success: true as const };
    await db.batch([
      assertFieldUnchanged(caller, field),
      recordEvent(ctx, { type: 'custom_field.updated', entity: toFieldKey(id), changes }),
      updateField(caller, next),
    ]);
    return { success: true as const };
  },
);

/** Options sent with an id keep that id, so that stored values stay valid. */
function planOptions(
  { options, next_option }: FieldDefinition,
  sent: readonly (Omit<FieldOption, 'id'> & { id?: number | undefined })[] | undefined,
): Pick<FieldDefinition, 'options' | 'next_option'> {
  if (sent === undefined) return { options, next_option };
  const given = sent.flatMap(({ id }) => id ?? []);
  const wrong = given.find(
    (id, index) => given.indexOf(id) !== index || !options.some((option) => option.id === id),
  );
  if (wrong !== undefined) {
    throw invalidRequestError(
      ({ field }) =>
        `${field('options')} must not repeat an id, or contain an id that isn't an option of this field; got id ${wrong}. Leave out the id of a new option.`,
    );
  }
  let next = next_option;
  const planned = sent.map(({ id, name, color }) => ({ id: id ?? next++, name, color }));
  return { options: planned, next_option: next };
}

function toOptionChange(
  from: readonly FieldOption[],
  to: readonly FieldOption[],
): Record<string, FieldChange> {
  if (JSON.stringify(from) === JSON.stringify(to)) return {};
  return { options: { from: toOptionNames(from), to: toOptionNames(to) } };
}

const toOptionNames = (options: readonly FieldOption[]) => options.map(({ name }) => name);

export const deleteCustomField = defineOperation(
  {
    name: 'deleteCustomField',
    summary: 'Delete a custom field and hide its values',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: customFieldIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const [field] = await db.batch([findDefinition(caller, id)]);
    if (!field) throw fieldNotFoundError(id);
    requirePermissionToChangeFields(ctx);
    await db.batch([
      assertFieldUnchanged(caller, field),
      recordEvent(ctx, {
        type: 'custom_field.deleted',
        entity: toFieldKey(id),
        changes: { name: { from: field.name, to: null } },
      }),
      setFieldDeleted(caller, id, now),
    ]);
    return { success: true as const };
  },
);

export const restoreCustomField = defineOperation(
  {
    name: 'restoreCustomField',
    summary: 'Restore a custom field deleted in the last 30 days, with its values',
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: customFieldIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const [field] = await db.batch([findDeletedField(caller, id, now - FIELD_RESTORE_WINDOW_MS)]);
    if (!field) throw fieldNotFoundError(id);
    requirePermissionToChangeFields(ctx);
    await db.batch([
      assertFieldUnchanged(caller, field),
      recordEvent(ctx, {
        type: 'custom_field.created',
        entity: toFieldKey(id),
        changes: { name: { from: null, to: field.name }, type: { from: null, to: field.type } },
      }),
      setFieldDeleted(caller, id, null),
      assertFieldsMax(caller),
    ]);
    return { success: true as const };
  },
);

export const setProjectFields = defineOperation(
  {
    name: 'setProjectFields',
    summary: "Set a project's custom fields",
    access: 'session',
    capability: 'manageCategories',
    effect: 'write',
    input: projectFieldsInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, fieldIds }) => {
    const { caller, db } = ctx;
    const [project, known] = await db.batch([findProjectFields(caller, id), listDefinitions(caller)]);
    if (!project) throw projectNotFoundError(id);
    requirePermissionToChangeFields(ctx);
    const used: readonly number[] = JSON.parse(project.field_ids ?? '[]');
    const before = known.filter((field) => used.includes(field.id));
    const after = known.filter((field) => fieldIds.includes(field.id));
    const current = { fieldIds: before.map((field) => field.id) };
    requireCurrentSnapshot(ctx.snapshot, { fieldIds }, current, { type: 'custom_field.updated' });
    const unknown = fieldIds.find((fieldId) => !known.some((field) => field.id === fieldId));
    if (unknown !== undefined) {
      throw invalidRequestError(
        ({ field, call }) =>
          `${field('fieldIds')} must be custom fields in this workspace; got ${unknown}. ${call('listCustomFields')} lists the fields.`,
      );
    }
    if (after.length > FIELDS_PER_PROJECT_MAX) {
      throw invalidRequestError(
        ({ field }) =>
          `${field('fieldIds')} must contain at most ${FIELDS_PER_PROJECT_MAX} fields; got ${after.length}. Remove some.`,
      );
    }
    const changed = known.filter((field) => before.includes(field) !== after.includes(field));
    if (changed.length === 0) return { success: true as const };
    const deleted = used.filter((fieldId) => !known.some((field) => field.id === fieldId));
    await db.batch([
      assertProjectFieldsUnchanged(caller, project),
      ...after.map((field) => assertFieldUnchanged(caller, field)),
      ...changed.map((field) =>
        recordEvent(ctx, {
          type: 'custom_field.updated',
          project: id,
          entity: toFieldKey(field.id),
          changes: { isOn: { from: before.includes(field), to: after.includes(field) } },
        }),
      ),
      setProjectFieldIds(
        caller,
        id,
        [...after.map((field) => field.id), ...deleted].slice(0, FIELDS_PER_PROJECT_MAX),
      ),
    ]);
    return { success: true as const };
  },
);
