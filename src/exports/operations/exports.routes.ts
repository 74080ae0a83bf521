import { defineRoute } from '../../kernel/http/route.ts';
import { createExport, deleteExport, getExport, listExports } from './exports.ts';

export const exportRoutes = [
  defineRoute('GET', '/exports', listExports),
  defineRoute('POST', '/exports', createExport, { status: 201 }),
  defineRoute('GET', '/exports/:id', getExport),
  defineRoute('DELETE', '/exports/:id', deleteExport),
];
