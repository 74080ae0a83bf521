import { AppError } from '../errors/errors.ts';

const UNDO_MINUTES = 10;
export const UNDO_MS = UNDO_MINUTES * 60_000;

export function cannotRestoreError(what: string): AppError {
  return new AppError(
    'not_found',
    `This ${what} can't be restored. Only the person who removed it can restore it, within ${UNDO_MINUTES} minutes.`,
  );
}
