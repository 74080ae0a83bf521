import { isLong } from '../../support/tier.ts';
/**
 * The faults of a batch. `rolled back at its end` runs all statements and then raises an error that rolls them back.
 */
export const faults = [
  'overloaded',
  'lost before it runs',
  'lost after it ran',
  'rolled back at its end',
] as const;
export type Fault = (typeof faults)[number];
/** The database never responds to the batch. */
export type SilentFault = 'silent before it runs' | 'silent after it ran';
/**
 * The faults for tests that make each batch of an operation fail in turn. Short test runs use only one, because each
 * fault takes up to twenty runs.
 */
export const testedFaults: readonly Fault[] = isLong ? faults : ['lost after it ran'];

export const faultMessages = {
  overloaded: 'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
  'lost before it runs': 'D1_ERROR: Network connection lost.',
  'lost after it ran': 'D1_ERROR: Network connection lost.',
} as const;

export interface FaultyD1 {
  readonly d1: D1Database;
  /** The number of batches so far, including failed batches. */
  batches: number;
  failed: number;
  /** Whether a batch that failed has committed writes. */
  hasCommitted: boolean;
}

/**
 * Creates a D1 binding that fails. `failing` takes the number of the batch, starting at 1, and returns its fault, if
 * any.
 */
export function createFaultyD1(
  database: D1Database,
  failing: (batch: number) => Fault | SilentFault | Error | undefined,
): FaultyD1 {
  const faulty: FaultyD1 = {
    batches: 0,
    failed: 0,
    hasCommitted: false,
    d1: new Proxy(database, {
      get(target, name) {
        if (name === 'batch') return batch;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    }),
  };
  return faulty;

  async function batch(statements: D1PreparedStatement[]) {
    faulty.batches += 1;
    const fault = failing(faulty.batches);
    if (fault === undefined) return database.batch(statements);
    faulty.failed += 1;
    if (fault instanceof Error) throw fault;
    if (fault === 'rolled back at its end') {
      const raise = database.prepare("SELECT json_extract('{}', 'EW_INJECTED')");
      return database.batch([...statements, raise]);
    }
    if (fault === 'silent before it runs') return Promise.withResolvers<never>().promise;
    if (fault === 'lost after it ran' || fault === 'silent after it ran') {
      const results = await database.batch(statements);
      if (results.some(({ meta }) => meta.rows_written > 0)) faulty.hasCommitted = true;
    }
    if (fault === 'silent after it ran') return Promise.withResolvers<never>().promise;
    throw new Error(faultMessages[fault]);
  }
}

/** Batches are numbered from 1. */
export function failNthBatch<F extends Fault | SilentFault | Error>(batch: number, fault: F) {
  return (asked: number) => (asked === batch ? fault : undefined);
}

/** No request sends more than this many batches to one database. */
export const BATCHES_MAX = 20;
/** `npm test` fails only every fifth batch of an operation that writes to the directory and to a cell. */
export const BATCH_STEP = isLong ? 1 : 5;
