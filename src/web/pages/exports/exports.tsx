import * as z from 'zod';
import { createExport, deleteExport, getExport, listExports } from '../../../exports/operations/exports.ts';
import { integerId } from '../../../kernel/operation/schema.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { ExportsView } from './exports.view.tsx';

export const exportsParams = z.object({});
export const exportsReads = { exports: listExports };

export const exportsPage = definePage({
  name: 'exports',
  path: '/exports',
  title: () => 'Export',
  params: exportsParams,
  reads: exportsReads,
  inputs: () => ({ exports: {} }),
  view: ExportsView,
});

export const downloadExportPage = definePage({
  name: 'downloadExport',
  path: '/exports/:export/download',
  title: () => 'Download',
  params: z.object({ export: integerId }),
  reads: { export: getExport },
  inputs: (params) => ({ export: { id: params.export } }),
  // The list shows why an export can't be downloaded.
  redirectTo: (answers, base) => answers.export.downloadUrl ?? `${base}/exports`,
  view: () => null,
});

export const createExportForm = defineForm({
  name: 'createExport',
  path: '/exports',
  operation: createExport,
  // Browsers don't send a checkbox that isn't checked.
  toInput: (fields) => ({
    contents: fields.get('contents') ?? undefined,
    includeFiles: fields.has('includeFiles'),
  }),
  flash: () => ({ text: 'Export started' }),
});
export const deleteExportForm = defineForm({
  name: 'deleteExport',
  path: '/exports/:id/delete',
  operation: deleteExport,
  removal: 'asked',
  flash: () => ({ text: 'Export deleted' }),
});
