import { defineRoute } from '../../kernel/http/route.ts';
import { listCustomFields } from './list-custom-fields.ts';

export const customFieldRoutes = [defineRoute('GET', '/custom-fields', listCustomFields)];
