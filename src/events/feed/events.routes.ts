import { defineRoute } from '../../kernel/http/route.ts';
import { listEvents } from './events.ts';

export const eventRoutes = [defineRoute('GET', '/events', listEvents)];
