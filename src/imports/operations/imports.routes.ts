import { defineRoute } from '../../kernel/http/route.ts';
import { cancelImport, createImport, getImport, listImports, startImport, updateImport } from './imports.ts';

export const importRoutes = [
  defineRoute('GET', '/imports', listImports),
  defineRoute('POST', '/imports', createImport, { status: 201 }),
  defineRoute('GET', '/imports/:id', getImport),
  defineRoute('PATCH', '/imports/:id', updateImport),
  defineRoute('POST', '/imports/:id/start', startImport),
  defineRoute('POST', '/imports/:id/cancel', cancelImport),
];
