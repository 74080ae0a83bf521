import { defineRoute } from '../../kernel/http/route.ts';
import {
  addChecklistLine,
  deleteChecklistLine,
  getChecklist,
  replaceChecklist,
  updateChecklistLine,
} from './checklists.ts';

export const checklistRoutes = [
  defineRoute('GET', '/tasks/:id/checklist', getChecklist),
  defineRoute('PUT', '/tasks/:id/checklist', replaceChecklist),
  defineRoute('POST', '/tasks/:id/checklist/items', addChecklistLine, { status: 201 }),
  defineRoute('PATCH', '/tasks/:id/checklist/items/:itemId', updateChecklistLine),
  defineRoute('DELETE', '/tasks/:id/checklist/items/:itemId', deleteChecklistLine),
];
