import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { listLabels } from './labels.ts';

export const labelRoutes: readonly Route[] = [defineRoute('GET', '/labels', listLabels)];
