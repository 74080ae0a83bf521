// What is known of a request once it was measured.
import { dollarsAMillion } from './price.ts';
import type { Bounds, TimedRequest } from './request.ts';

export interface Cost extends Bounds {
  readonly statements: number;
}

/** What a request costs, and how near to its budget. */
export interface CheckedCost extends Cost {
  readonly checks: readonly { name: keyof Bounds; measured: number; allowed: number }[];
}

export interface Timing {
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
  readonly calls: number;
  /** Null where the system does not tell. */
  readonly cpuMs: number | null;
}

/** A request at one size on the real worker, and on the bare one where they are compared. */
export interface Comparison {
  readonly app: Timing;
  readonly bare: Timing | null;
  readonly ratio: number | null;
  readonly cpuRatio: number | null;
}

interface Asked {
  readonly size: number;
  readonly name: string;
  readonly isWrite: boolean;
  readonly mustNotGrow: boolean;
}

export interface MeasuredResult extends Asked, CheckedCost {
  readonly connections1: Comparison;
  readonly connections16: Comparison;
  readonly ratio: number | null;
  readonly cpuRatio: number | null;
  readonly cpuMs: number | null;
  readonly dollarsAMillion: number;
}

/** Of a request that could not be asked yet. */
interface MissingResult extends Asked {
  readonly connections1: null;
  readonly connections16: null;
  readonly ratio: null;
  readonly cpuRatio: null;
  readonly checks?: undefined;
  readonly cpuMs: null;
  readonly dollarsAMillion: null;
}

export type Result = MeasuredResult | MissingResult;

/** Everything that is known of one request at one size, in one flat record. */
export function toResult(
  request: TimedRequest,
  size: number,
  cost: CheckedCost | null,
  alone: Comparison | null,
  crowd: Comparison | null,
): Result {
  const asked = {
    size,
    name: request.name,
    isWrite: request.isWrite ?? false,
    mustNotGrow: request.grows === false,
  };
  if (!cost || !alone || !crowd) {
    return {
      ...asked,
      connections1: null,
      connections16: null,
      ratio: null,
      cpuRatio: null,
      cpuMs: null,
      dollarsAMillion: null,
    };
  }
  const { cpuMs } = crowd.app;
  return {
    ...asked,
    connections1: alone,
    connections16: crowd,
    ratio: crowd.ratio,
    cpuRatio: crowd.cpuRatio,
    ...cost,
    cpuMs,
    dollarsAMillion: dollarsAMillion({ ...cost, cpuMs }),
  };
}
