import { recordError } from '../telemetry/recent-errors.ts';

type LogFields = Record<string, string | number | boolean | null | undefined>;

/** Writes a line of JSON. Never pass a credential, a password, a token or a request body. */
export function log(level: 'info' | 'error', event: string, fields: LogFields = {}) {
  const line = JSON.stringify({ level, event, ...fields });
  if (level === 'info') {
    console.log(line);
    return;
  }
  console.error(line);
  recordError(event, fields, Date.now());
}

export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error);
}
