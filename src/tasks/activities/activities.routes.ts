import { route } from '../../kernel/http/route.ts';
import { listActivities } from './activities.ts';

export const activityRoutes = [route('GET', '/tasks/:id/activities', listActivities)];
