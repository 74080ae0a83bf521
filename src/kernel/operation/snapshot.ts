import QuickLRU from 'quick-lru';
import { AppError, invalidRequestError } from '../errors/errors.ts';
import { hashSecret } from '../secrets/tokens.ts';

/** Fingerprints, by field, of the values that a form was rendered with. API clients send none. */
export type Snapshot = Readonly<Record<string, string>>;

const FINGERPRINT_CHARACTERS = 22;

const CACHED_CHARACTERS_MAX = 100;
const CACHED_FINGERPRINTS_MAX = 500;
const fingerprintCache = new QuickLRU<string, string>({ maxSize: CACHED_FINGERPRINTS_MAX });

export function buildFingerprint(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  const known = fingerprintCache.get(text);
  if (known !== undefined) return known;
  const print = hashSecret(text).slice(0, FINGERPRINT_CHARACTERS);
  if (text.length <= CACHED_CHARACTERS_MAX) fingerprintCache.set(text, print);
  return print;
}

/**
 * The event that names the author of a change, or `own` if only the person themselves can make the change. Null if the
 * author is unknown.
 */
export type ChangeAuthor = ChangeEvent | 'own' | null;

export interface ChangeEvent {
  readonly type: string;
  readonly id?: number | string;
  /** The name that identifies the item in the event, if the item has no id. */
  readonly named?: string;
  /** The names that the event uses for the changed fields, if they differ from the form's names. */
  readonly changes?: readonly string[];
}

export class StaleSnapshotError extends AppError {
  readonly field: string;
  readonly current: unknown;
  readonly madeBy: ChangeAuthor;

  constructor(field: string, current: unknown, madeBy: ChangeAuthor) {
    const message = `${field} has changed since you opened this page. Review the change, then send yours again.`;
    super('invalid_request', message, { status: 412 });
    this.field = field;
    this.current = current;
    this.madeBy = madeBy;
  }
}

export function isUnchangedForm(snapshot: Snapshot, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([field, value]) => snapshot[field] === buildFingerprint(value));
}

/**
 * Throws 412 if a field that the form sets has changed since the page was rendered, unless it already has the wanted
 * value. Throws 400 for an unknown field. The caller's batch must assert that `current` is still up to date.
 */
export function requireCurrentSnapshot<Wanted extends object>(
  snapshot: Snapshot,
  wanted: Wanted,
  current: Readonly<Record<keyof Wanted, unknown>>,
  madeBy: ChangeAuthor,
) {
  const wants = new Map<string, unknown>(Object.entries(wanted));
  const present = new Map<string, unknown>(Object.entries(current));
  for (const [field, print] of Object.entries(snapshot)) {
    if (!present.has(field)) throw unknownFieldError(field);
    if (wants.get(field) === undefined) continue;
    const now = buildFingerprint(present.get(field));
    if (now !== print && now !== buildFingerprint(wants.get(field))) {
      throw new StaleSnapshotError(field, present.get(field), madeBy);
    }
  }
}

function unknownFieldError(field: string): AppError {
  return invalidRequestError(`This form has no field '${field}'. Reload the page and send it again.`);
}
