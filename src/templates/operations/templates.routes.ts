import { defineRoute } from '../../kernel/http/route.ts';
import { listTemplates } from './templates.ts';

export const templateRoutes = [defineRoute('GET', '/templates', listTemplates)];
