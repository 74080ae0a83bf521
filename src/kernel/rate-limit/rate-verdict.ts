export interface RateWindowState {
  readonly endsAt: number;
  hits: number;
}

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** At least 1, so that clients don't retry immediately. */
  readonly resetSeconds: number;
}

export function toRateVerdict({ endsAt, hits }: RateWindowState, limit: number, now: number): RateVerdict {
  return {
    allowed: hits <= limit,
    limit,
    remaining: Math.max(0, limit - hits),
    resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
  };
}
