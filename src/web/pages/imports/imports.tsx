import * as z from 'zod';
import {
  cancelImport,
  createImport,
  getImport,
  listImports,
  startImport,
  updateImport,
} from '../../../imports/operations/imports.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { ImportView } from './import.view.tsx';
import { CHOICE_FIELD_PREFIX, COLUMN_FIELD_PREFIX, VALUE_FIELD_PREFIX } from './import-choices.view.tsx';
import { ImportsView } from './imports.view.tsx';

const IMPORTS_SHOWN_MAX = 50;
const PEOPLE_SUGGESTED_MAX = 100;

export const importsParams = z.object({ offset: z.int().min(0).default(0) });
export const importsReads = { imports: listImports };

export const importsPage = definePage({
  name: 'imports',
  path: '/imports',
  title: () => 'Imports',
  params: importsParams,
  reads: importsReads,
  inputs: ({ offset }) => ({ imports: { limit: IMPORTS_SHOWN_MAX, offset } }),
  view: ImportsView,
});

export const importParams = z.object({ import: integerId });
export const importReads = { import: getImport, people: listUsers };

export const importPage = definePage({
  name: 'import',
  path: '/imports/:import',
  title: ({ answers }) => `Import of ${answers.import.fileName}`,
  params: importParams,
  reads: importReads,
  inputs: (params) => ({ import: { id: params.import }, people: { limit: PEOPLE_SUGGESTED_MAX } }),
  view: ImportView,
});

export const createImportForm = defineForm({
  name: 'createImport',
  path: '/projects/:projectId/imports',
  operation: createImport,
  redirectTo: ({ id }, { base }) => `${base}/imports/${id}`,
});
export const updateImportForm = defineForm({
  name: 'changeImport',
  path: '/imports/:id',
  operation: updateImport,
  toInput: (fields) => ({
    columns: listNumberedFields(fields, COLUMN_FIELD_PREFIX).map(({ text }) => text),
    choices: listNumberedFields(fields, CHOICE_FIELD_PREFIX).flatMap(({ number, text: means }) => {
      const value = fields.get(`${VALUE_FIELD_PREFIX}${number}`) ?? '';
      const [, column, use, text] = /^(\d+) (\w+) (.*)$/s.exec(value) ?? [];
      // Drops choices that were offered for a different use of the column.
      const isUseSame = (fields.get(`${COLUMN_FIELD_PREFIX}${column}`) ?? use) === use;
      return text === undefined || !isUseSame ? [] : [{ column: Number(column), text, means }];
    }),
    source: fields.get('source') || undefined,
    dateOrder: fields.get('dateOrder') || undefined,
  }),
  flash: () => ({ text: 'Preview updated' }),
});
export const startImportForm = defineForm({
  name: 'startImport',
  path: '/imports/:id/start',
  operation: startImport,
});
export const cancelImportForm = defineForm({
  name: 'cancelImport',
  path: '/imports/:id/cancel',
  operation: cancelImport,
  removal: 'asked',
  flash: () => ({ text: 'Import canceled' }),
});

function listNumberedFields(fields: URLSearchParams, prefix: string): { number: number; text: string }[] {
  return [...fields]
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, text]) => ({ number: Number(name.slice(prefix.length)), text }))
    .toSorted((one, other) => one.number - other.number);
}
