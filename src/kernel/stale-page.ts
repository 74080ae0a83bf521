import { AppError } from './errors.ts';

/** A form that was filled in from something that has changed since. HTTP says 412, as with `If-Match`. */
function changedSince(what: string): AppError {
  return new AppError(
    'invalid_request',
    `Somebody changed ${what} since this page was opened. Look at the change, and send yours again.`,
    { status: 412 },
  );
}

/** @param known the version that a change was made from; undefined where it does not matter. */
export function requireVersion(what: string, known: number | undefined, current: number) {
  if (known !== undefined && known !== current) throw changedSince(what);
}
