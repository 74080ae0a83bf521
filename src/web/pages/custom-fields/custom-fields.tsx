import * as z from 'zod';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import {
  createCustomField,
  deleteCustomField,
  restoreCustomField,
  setProjectFields,
  updateCustomField,
} from '../../../tasks/custom-fields/change-custom-fields.ts';
import { listFieldSettings } from '../../../tasks/custom-fields/list-custom-fields.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { CustomFieldsView } from './custom-fields.view.tsx';

export const customFieldsParams = z.object({ project: integerId.optional() });
export const customFieldsReads = { settings: listFieldSettings, projects: listProjectChoices };

export const customFieldsPage = definePage({
  name: 'customFields',
  path: '/fields',
  title: () => 'Custom fields',
  params: customFieldsParams,
  reads: customFieldsReads,
  inputs: () => ({ settings: {}, projects: {} }),
  view: CustomFieldsView,
});

export const createCustomFieldForm = defineForm({
  name: 'newCustomField',
  path: '/fields',
  operation: createCustomField,
  multiline: ['newOptions'],
  toInput: (fields) => ({
    name: fields.get('name'),
    type: fields.get('type'),
    options: parseNewOptions(fields),
    projectId: Number(fields.get('projectId')) || null,
  }),
  flash: () => ({ text: 'Field created' }),
});

export const updateCustomFieldForm = defineForm({
  name: 'changeCustomField',
  path: '/fields/:id',
  operation: updateCustomField,
  multiline: ['newOptions'],
  toInput: (fields) => ({
    name: fields.get('name'),
    ...(fields.has('newOptions') && { options: [...parseOptions(fields), ...parseNewOptions(fields)] }),
  }),
  flash: () => ({ text: 'Field saved' }),
});

/** The form has three inputs per option. Options without a name are removed. */
function parseOptions(fields: URLSearchParams): unknown[] {
  const [names, colors] = [fields.getAll('optionName'), fields.getAll('optionColor')];
  return fields
    .getAll('optionId')
    .map((id, index) => ({ id: Number(id), name: (names[index] ?? '').trim(), color: colors[index] }))
    .filter(({ name }) => name !== '');
}

function parseNewOptions(fields: URLSearchParams): unknown[] {
  const lines = (fields.get('newOptions') ?? '').split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').map((name) => ({ name }));
}

export const deleteCustomFieldForm = defineForm({
  name: 'removeCustomField',
  path: '/fields/:id/remove',
  operation: deleteCustomField,
  toInput: () => ({}),
  removal: 'undone',
  flash: ({ input: { id } }) => ({
    text: 'Field deleted',
    undo: { path: `/fields/${id}/restore`, fields: {} },
  }),
});
export const restoreCustomFieldForm = defineForm({
  name: 'restoreCustomField',
  path: '/fields/:id/restore',
  operation: restoreCustomField,
  toInput: () => ({}),
  flash: () => ({ text: 'Field restored' }),
});

export const setProjectFieldsForm = defineForm({
  name: 'setProjectFields',
  path: '/projects/:id/fields',
  operation: setProjectFields,
  flash: ({ input: { id }, fields }) => ({
    text: 'Fields saved',
    undo: { path: `/projects/${id}/fields`, fields: { was: fields.get('was') ?? '' } },
  }),
  // The Undo button sends the previous field ids as one comma-separated string.
  toInput: (fields) => {
    const ids = fields.has('fieldIds') ? fields.getAll('fieldIds') : (fields.get('was') ?? '').split(',');
    return { fieldIds: ids.filter((text) => text !== '').map(Number) };
  },
});
