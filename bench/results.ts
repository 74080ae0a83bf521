import type { Bounds, TimedRequest } from './request.ts';

export interface Cost extends Bounds {
  readonly statements: number;
}

export interface CheckedCost extends Cost {
  readonly checks: readonly { name: keyof Bounds; measured: number; allowed: number }[];
}

export interface Timing {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly calls: number;
  readonly cpuMs: number | null;
}

export interface Comparison {
  readonly app: Timing;
  readonly bare: Timing | null;
  readonly ratio: number | null;
  readonly cpuRatio: number | null;
}

interface ResultHeader {
  readonly size: number;
  readonly name: string;
  readonly isWrite: boolean;
  readonly mustNotGrow: boolean;
}

export interface MeasuredResult extends ResultHeader, CheckedCost {
  readonly connections1: Comparison;
  readonly connections16: Comparison;
  readonly ratio: number | null;
  readonly cpuRatio: number | null;
  readonly cpuMs: number | null;
  readonly dollarsPerMillion: number;
}

/** The result of a request that can't be sent yet, because no response links to it. */
interface MissingResult extends ResultHeader {
  readonly connections1: null;
  readonly connections16: null;
  readonly ratio: null;
  readonly cpuRatio: null;
  readonly checks?: undefined;
  readonly cpuMs: null;
  readonly dollarsPerMillion: null;
}

export type Result = MeasuredResult | MissingResult;

export function toResult(
  request: TimedRequest,
  size: number,
  cost: CheckedCost | null,
  alone: Comparison | null,
  crowd: Comparison | null,
): Result {
  const header = {
    size,
    name: request.name,
    isWrite: request.isWrite ?? false,
    mustNotGrow: request.grows === false,
  };
  if (!cost || !alone || !crowd) {
    return {
      ...header,
      connections1: null,
      connections16: null,
      ratio: null,
      cpuRatio: null,
      cpuMs: null,
      dollarsPerMillion: null,
    };
  }
  const { cpuMs } = crowd.app;
  return {
    ...header,
    connections1: alone,
    connections16: crowd,
    ratio: crowd.ratio,
    cpuRatio: crowd.cpuRatio,
    ...cost,
    cpuMs,
    dollarsPerMillion: computeDollarsPerMillion({ ...cost, cpuMs }),
  };
}

/** Cloudflare's list prices in dollars. */
const DOLLARS_PER_MILLION_REQUESTS = 0.3;
const DOLLARS_PER_MILLION_CPU_MS = 0.02;
const DOLLARS_PER_MILLION_OBJECT_REQUESTS = 0.15;
const DOLLARS_PER_MILLION_ROWS_READ = 0.001;
const DOLLARS_PER_MILLION_ROWS_WRITTEN = 1;
/**
 * One in eight requests by a busy caller also calls the rate window, a Durable Object
 * (src/kernel/rate-limit/local-hit-count.ts).
 */
const OBJECT_REQUESTS_PER_CALL = 1 / 8;

export const formula =
  '$ per million calls = 0.30 (request) + 0.15 / 8 (rate window) + 0.02 × CPU ms + 0.001 × rows read + 1.00 × rows written';

interface BilledUsage {
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly cpuMs: number | null;
}

function computeDollarsPerMillion({ rowsRead, rowsWritten, cpuMs }: BilledUsage): number {
  return (
    DOLLARS_PER_MILLION_REQUESTS +
    OBJECT_REQUESTS_PER_CALL * DOLLARS_PER_MILLION_OBJECT_REQUESTS +
    (cpuMs ?? 0) * DOLLARS_PER_MILLION_CPU_MS +
    rowsRead * DOLLARS_PER_MILLION_ROWS_READ +
    rowsWritten * DOLLARS_PER_MILLION_ROWS_WRITTEN
  );
}
