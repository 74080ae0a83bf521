/** Starts this process's clock at the given instant, so that every run has the same dates. */
export function startClockAt(instant: number): void {
  const Real = globalThis.Date;
  let ahead: number | null = null;
  const now = () => {
    ahead ??= Real.now() - instant;
    return Real.now() - ahead;
  };
  globalThis.Date = class extends Real {
    constructor(...given: []) {
      super(...(given.length === 0 ? ([now()] as unknown as []) : given));
    }

    static override now(): number {
      return now();
    }
  } as DateConstructor;
}

export const START_TIME = Date.UTC(2026, 2, 16, 9);
