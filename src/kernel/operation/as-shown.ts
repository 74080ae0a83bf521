import QuickLRU from 'quick-lru';
import { AppError, invalidRequest } from '../errors/errors.ts';
import { hashSecret } from '../secrets/tokens.ts';

/** What a page showed of the fields of its form, as fingerprints by their names. A program was shown nothing. */
export type Shown = Readonly<Record<string, string>>;

const FINGERPRINT_CHARACTERS = 22;

const SHORT_MAX = 100;
const KEPT_MAX = 500;
/** Fingerprints of short values, such as roles: a page shows the same ones in every row. */
const kept = new QuickLRU<string, string>({ maxSize: KEPT_MAX });

/** A short hash of a value, by which a form says what its page showed without repeating it. */
export function fingerprint(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  const known = kept.get(text);
  if (known !== undefined) return known;
  const print = hashSecret(text).slice(0, FINGERPRINT_CHARACTERS);
  if (text.length <= SHORT_MAX) kept.set(text, print);
  return print;
}

/** How to find who made a change: by an event, `own` if nobody but the sender can make it, null if nothing tells. */
export type MadeBy = ToldBy | 'own' | null;

/** The event that tells of a change, by its type and what it is about. */
export interface ToldBy {
  readonly type: string;
  readonly id?: number | string;
  /** What the event calls the change, where that is not the name of the field. */
  readonly changes?: readonly string[];
}

/** A field that somebody wants to change has been changed since they saw it. HTTP says 412, as with `If-Match`. */
export class ChangedMeanwhile extends AppError {
  readonly field: string;
  readonly current: unknown;
  readonly madeBy: MadeBy;

  constructor(field: string, current: unknown, madeBy: MadeBy) {
    const message = `${field} has changed since you opened this page. Review the change, then send yours again.`;
    super('invalid_request', message, { status: 412 });
    this.field = field;
    this.current = current;
    this.madeBy = madeBy;
  }
}

/** Whether somebody who sent a form left everything as it was shown to them. */
export function isUntouched(shown: Shown, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(([field, value]) => shown[field] === fingerprint(value));
}

/**
 * Throws 412 if a field is no longer as the page showed it, unless it has become what is wanted. The batch of the change
 * asserts that `current` still holds.
 * @param current every field that may be wanted, under the same name. A page that shows another one gets 400: its check
 * would pass unseen.
 */
export function requireAsShown<Wanted extends object>(
  shown: Shown,
  wanted: Wanted,
  current: Readonly<Record<keyof Wanted, unknown>>,
  madeBy: MadeBy,
) {
  const wants = new Map<string, unknown>(Object.entries(wanted));
  const present = new Map<string, unknown>(Object.entries(current));
  for (const [field, print] of Object.entries(shown)) {
    if (!present.has(field)) throw unknownField(field);
    if (wants.get(field) === undefined) continue;
    const now = fingerprint(present.get(field));
    if (now !== print && now !== fingerprint(wants.get(field))) {
      throw new ChangedMeanwhile(field, present.get(field), madeBy);
    }
  }
}

function unknownField(field: string): AppError {
  return invalidRequest(`This form has no field '${field}'. Reload the page and send it again.`);
}
