import { defineRoute } from '../../kernel/http/route.ts';
import { listActivities } from './activities.ts';

export const activityRoutes = [defineRoute('GET', '/tasks/:id/activities', listActivities)];
