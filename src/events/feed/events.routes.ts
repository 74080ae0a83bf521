import { route } from '../../kernel/http/route.ts';
import { listEvents } from './events.ts';

export const eventRoutes = [route('GET', '/events', listEvents)];
