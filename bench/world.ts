import { countDaysBetween } from '../src/kernel/dates/civil-date.ts';

/** The day that requests treat as today. Seeded deadlines are around it, and those before it are summed. */
export const PAST_CUTOFF = '2026-11-20';
/** Deadlines before this Monday are also summed. */
export const WEEK_CUTOFF = '2026-11-23';

/** Returns the number of days that no cron has summed. The workload reads them, because it starts today. */
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
  /** User ids. */
  readonly crowd: readonly string[];
}

/** The people of a seeded workspace, and the ids that requests can use. */
export interface World {
  readonly size: number;
  readonly workspaceId: string;
  /** The id of the first project. The other projects have consecutive ids. */
  readonly projects: number;
  readonly people: People;
  readonly apiKey: string;
  /** Task ids in three pools, so that requests don't change each other's cost. */
  readonly pools: Readonly<Record<'read' | 'change' | 'discuss', readonly number[]>>;
}
