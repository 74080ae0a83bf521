import { defineRoute } from '../../kernel/http/route.ts';
import { addRelation, deleteRelation, listRelations } from './relations.ts';

export const relationRoutes = [
  defineRoute('GET', '/tasks/:id/relations', listRelations),
  defineRoute('POST', '/tasks/:id/relations', addRelation, { status: 201 }),
  defineRoute('DELETE', '/tasks/:id/relations/:relationId', deleteRelation),
];
