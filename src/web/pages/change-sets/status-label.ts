import type { ChangeSetSummary } from '../../../change-sets/model/change-sets.schema.ts';

const labels = {
  open: 'In progress',
  proposed: 'Waiting for you',
  applied: 'Applied',
  rejected: 'Rejected',
  discarded: 'Discarded by the app',
} as const satisfies Record<ChangeSetSummary['status'], string>;

export function toStatusLabel({ status, isExpired }: Pick<ChangeSetSummary, 'status' | 'isExpired'>): string {
  return isExpired ? 'Expired' : labels[status];
}
