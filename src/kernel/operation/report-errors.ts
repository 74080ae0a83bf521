import { writeDataPoint } from '../telemetry/data-points.ts';
import { hasErrors, type RecordedError, takeErrors } from '../telemetry/recent-errors.ts';
import { getDurableObject } from './durable-objects.ts';

/** The minimum time between an isolate's reports, so that a failing database doesn't cause one report per request. */
const REPORT_INTERVAL_MS = 10_000;
const ERROR_LOG_NAME = 'errors';

let nextReportAt = 0;

export function reportErrors(env: Env, waitUntil: (work: Promise<unknown>) => void, now = Date.now()): void {
  if (!hasErrors() || now < nextReportAt) return;
  nextReportAt = now + REPORT_INTERVAL_MS;
  const errors = takeErrors();
  for (const { event, place, count } of errors)
    writeDataPoint(env, { kind: 'error', name: event, place, count });
  waitUntil(storeErrors(env, errors));
}

async function storeErrors(env: Env, errors: RecordedError[]): Promise<void> {
  try {
    await getDurableObject(env, 'ERROR_LOG', ERROR_LOG_NAME).record(errors);
  } catch {
    // The log already contains every error. Logging the failed report would cause another report.
  }
}

export async function listRecentErrors(env: Env): Promise<RecordedError[] | null> {
  try {
    return await getDurableObject(env, 'ERROR_LOG', ERROR_LOG_NAME).list();
  } catch {
    return null;
  }
}
