import { daysBetween } from '../src/kernel/dates/civil.ts';

/** Deadlines of the seeded tasks lie around this day, which the requests call today; those before it are summed. */
export const PAST_CUTOFF = '2026-11-20';
/** Those before the Monday after it are summed as well. */
export const WEEK_CUTOFF = '2026-11-23';

/** Days that no cron has summed since: the workload, which knows no other day than today, reads them. */
export function daysSinceCutoff(): number {
  return Math.max(0, daysBetween(PAST_CUTOFF, new Date().toISOString().slice(0, 10)));
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
  /** Ids of users. */
  readonly crowd: readonly string[];
}

/** Who lives in a seeded workspace, and what requests may ask it for. */
export interface World {
  readonly size: number;
  readonly workspaceId: string;
  /** The id of the first project; the others follow. */
  readonly projects: number;
  readonly people: People;
  readonly apiKey: string;
  /** Ids of tasks; three pools, so that one request does not change what another one costs. */
  readonly pools: Readonly<Record<'read' | 'change' | 'discuss', readonly number[]>>;
}
