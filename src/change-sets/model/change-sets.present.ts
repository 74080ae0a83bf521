import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { ChangeSetRow } from './change-sets.queries.ts';
import type { ChangeSetSummary } from './change-sets.schema.ts';

export function toChangeSetSummary(row: ChangeSetRow, now: number): ChangeSetSummary {
  const { id, app, title, reason, status, items, created_at, expires_at } = row;
  return {
    id,
    app,
    title,
    reason,
    status,
    items,
    createdAt: toTimestamp(created_at),
    expiresAt: toTimestamp(expires_at),
    isExpired: (status === 'open' || status === 'proposed') && expires_at <= now,
  };
}
