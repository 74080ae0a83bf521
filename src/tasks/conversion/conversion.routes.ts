import { defineRoute } from '../../kernel/http/route.ts';
import { convertChecklistLine } from './convert-checklist-item.ts';

export const conversionRoutes = [
  defineRoute('POST', '/tasks/:id/checklist/items/:itemId/convert', convertChecklistLine, { status: 201 }),
];
