import { DAY_MS } from '../../kernel/dates/durations.ts';
import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { PROVISIONAL_IDS_FROM } from '../../kernel/operation/provisional-ids.ts';
import { formatNumber } from '../../kernel/text/number-format.ts';
import type { ChangeSetRow } from './change-sets.queries.ts';

export const ITEMS_MAX = 200;
/** Limited, because an approval reads all descriptions and comments of a set at once. */
const SET_TEXT_BYTES_MAX = 1_000_000;
export const EXPIRY_DAYS = 7;
export const EXPIRY_MS = EXPIRY_DAYS * DAY_MS;
export const DECIDED_SET_LIFETIME_MS = 30 * DAY_MS;

export function toProvisionalId(set: number, no: number): number {
  return PROVISIONAL_IDS_FROM + set * ITEMS_MAX + no;
}

export function changeSetNotFoundError(id: number): AppError {
  return notFoundError('change set', id, 'the list of proposed changes in the app');
}

export function requireOpenSetWithSpace(set: ChangeSetRow, count: number, bytes: number, now: number) {
  if (set.expires_at <= now) throw changeSetExpiredError(set);
  if (set.items + count > ITEMS_MAX) {
    throw invalidRequestError(
      `A change set can have up to ${ITEMS_MAX} changes; change set ${set.id} has ${set.items}, and this call adds ${count}. Propose it with propose_changes, then begin another.`,
    );
  }
  if (set.bytes + bytes > SET_TEXT_BYTES_MAX) {
    throw invalidRequestError(
      `A change set can contain up to ${formatNumber(SET_TEXT_BYTES_MAX)} bytes of text; change set ${set.id} has ${formatNumber(set.bytes)}, and this call adds ${formatNumber(bytes)}. Propose it with propose_changes, then begin another.`,
    );
  }
}

export function changeSetExpiredError({ id }: ChangeSetRow): AppError {
  return invalidRequestError(
    `Change set ${id} expired after ${EXPIRY_DAYS} days, and none of its changes were made. Call discard_changes, then begin another.`,
  );
}
