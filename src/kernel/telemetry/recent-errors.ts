import { toSafeMessage } from './safe-message.ts';

export interface RecordedError {
  readonly event: string;
  /** Where the error occurred, such as a route, job, tool or cell. Empty if the log entry doesn't say. */
  readonly place: string;
  readonly message: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The latest request with this error. Null outside requests. */
  readonly requestId: string | null;
}

type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An incident can produce many kinds of errors within seconds. This many are enough to find its cause. */
const ERRORS_MAX = 50;
const SOURCE_FIELDS = ['route', 'job', 'tool', 'operation', 'provider', 'keeper'];

const errors = new Map<string, RecordedError>();

/** Keeps an error for `takeErrors`. Needs no bindings, so that any code that logs can use it. */
export function recordError(event: string, fields: LogFields, now: number): void {
  const named = SOURCE_FIELDS.map((name) => fields[name]).find((value) => value != null);
  const place = String(named ?? (fields.cell == null ? '' : `cell ${fields.cell}`));
  const message = toSafeMessage(String(fields.cause ?? ''));
  const key = toErrorKey({ event, place, message });
  const known = errors.get(key);
  if (!known && errors.size >= ERRORS_MAX) return;
  errors.set(key, {
    event,
    place,
    message,
    count: (known?.count ?? 0) + 1,
    firstAt: known?.firstAt ?? now,
    lastAt: now,
    requestId: typeof fields.id === 'string' ? fields.id : null,
  });
}

export function hasErrors(): boolean {
  return errors.size > 0;
}

export function takeErrors(): RecordedError[] {
  const taken = [...errors.values()];
  errors.clear();
  return taken;
}

export function toErrorKey({ event, place, message }: Pick<RecordedError, 'event' | 'place' | 'message'>) {
  return `${event}\n${place}\n${message}`;
}
