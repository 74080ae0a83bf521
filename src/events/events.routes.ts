import { route } from '../kernel/route.ts';
import { listEvents } from './events.ts';

export const eventRoutes = [route('GET', '/events', listEvents)];
