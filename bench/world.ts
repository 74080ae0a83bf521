import { countDaysBetween } from '../src/kernel/dates/civil-date.ts';

/** Dashboard requests name this day as today. Seeded deadlines are near it, and counters sum tasks due before it. */
export const PAST_CUTOFF = '2026-11-20';
/** The counters also sum the tasks due before this Monday. */
export const WEEK_CUTOFF = '2026-11-23';

/** Counts the days since the cutoff. No cron job has summed them, so a request for the workload has to read them. */
export function countDaysSinceCutoff(): number {
  return Math.max(0, countDaysBetween(PAST_CUTOFF, new Date().toISOString().slice(0, 10)));
}

export interface Member {
  readonly no: number;
  readonly userId: string;
}

export interface People {
  readonly owner: Member;
  readonly client: Member;
  readonly lead: Member;
  readonly member: Member;
  readonly crowd: readonly string[];
}

export interface World {
  readonly size: number;
  readonly workspaceId: string;
  /** The id of the first project. The other projects have consecutive ids. */
  readonly projects: number;
  readonly people: People;
  readonly apiKey: string;
  readonly pools: Readonly<Record<'read' | 'change' | 'discuss', readonly number[]>>;
}
