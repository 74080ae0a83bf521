import { api } from '../support/api.ts';
import type { Person } from '../support/world.ts';

export interface Event {
  id: string;
  seq: number;
  type: string;
  actor: { id: string; name: string } | null;
  via: string;
  project: { id: number } | null;
  task: { id: number } | null;
  changes: Record<string, { from: unknown; to: unknown } | null>;
  [entity: string]: unknown;
}

export const getEvents = (person: Person, query: string) => api(person.token).get(`/events?${query}`);

export const readLatestSeq = async (person: Person): Promise<number> =>
  (await getEvents(person, '')).body.meta.nextAfter;

export const readAllEvents = async (person: Person, query = 'after=0'): Promise<Event[]> =>
  (await getEvents(person, `${query}&limit=300`)).body.data;
