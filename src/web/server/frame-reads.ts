import { getNewestSeq } from '../../events/live/newest-seq.ts';
import type { BatchedRead, ReadResult } from '../../kernel/execute/execute-reads.ts';
import { countUnreadNotifications } from '../../notifications/inbox/notifications.ts';
import { getCurrentTimer } from '../../time/tracking/time-tracking.ts';
import type { FrameAnswers } from './frame.tsx';

export interface NamedRead extends BatchedRead {
  readonly name: string;
  /** If true, the page is displayed even if this read fails. */
  readonly isOptional: boolean;
}

export const workspaceFrameReads: readonly NamedRead[] = [
  { name: 'timer', operation: getCurrentTimer, input: {}, isOptional: true },
  { name: 'unread', operation: countUnreadNotifications, input: { kinds: ['all'] }, isOptional: true },
  { name: 'seq', operation: getNewestSeq, input: {}, isOptional: true },
];

export function selectFrameAnswers(
  reads: readonly NamedRead[],
  results: readonly ReadResult[],
): FrameAnswers {
  const outputs = reads.map(({ name }, index) => {
    const result = results[index];
    return [name, result?.ok ? result.output : null];
  });
  const { timer, unread, seq } = Object.fromEntries(outputs);
  return { timer, unread, seq };
}
