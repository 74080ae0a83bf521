import { countDaysBetween } from '../src/kernel/dates/civil.ts';

/** Seeded deadlines are around this day, which the requests call today. Those before it are summed. */
export const PAST_CUTOFF = '2026-11-20';
/** Deadlines before the following Monday are summed as well. */
export const WEEK_CUTOFF = '2026-11-23';

/** Days that no cron has summed since then. The workload reads them, because it always starts today. */
export function daysSinceCutoff(): number {
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

/** The people of a seeded workspace and the ids that requests may use. */
export interface World {
  readonly size: number;
  readonly workspaceId: string;
  /** The id of the first project; the others follow it. */
  readonly projects: number;
  readonly people: People;
  readonly apiKey: string;
  /** Task ids in three pools, so that requests don't change each other's cost. */
  readonly pools: Readonly<Record<'read' | 'change' | 'discuss', readonly number[]>>;
}
