import { writeDataPoint } from '../telemetry/data-points.ts';
import { hasErrors, type RecordedError, takeErrors } from '../telemetry/recent-errors.ts';
import { getDurableObject } from './durable-objects.ts';

/** Per isolate, so that a failing database doesn't also cause a call per request. */
const PAUSE_MS = 10_000;
const LOG_NAME = 'errors';

let nextReportAt = 0;

/** Call this at the end of an invocation. Counts errors in METRICS and stores them for the operator page, if possible. */
export function reportErrors(env: Env, waitUntil: (work: Promise<unknown>) => void, now = Date.now()): void {
  if (!hasErrors() || now < nextReportAt) return;
  nextReportAt = now + PAUSE_MS;
  const errors = takeErrors();
  for (const { event, place, count } of errors)
    writeDataPoint(env, { kind: 'error', name: event, place, count });
  waitUntil(storeErrors(env, errors));
}

async function storeErrors(env: Env, errors: RecordedError[]): Promise<void> {
  try {
    await getDurableObject(env, 'ERROR_LOG', LOG_NAME).record(errors);
  } catch {
    // The log lines have them all. Logging this would report it again.
  }
}

/** Newest first; null if they can't be read. */
export async function listRecentErrors(env: Env): Promise<RecordedError[] | null> {
  try {
    return await getDurableObject(env, 'ERROR_LOG', LOG_NAME).list();
  } catch {
    return null;
  }
}
