import { getNewestSeq } from '../../events/live/newest-seq.ts';
import type { BatchedRead, ReadResult } from '../../kernel/execute/execute-reads.ts';
import type { HttpContext } from '../../kernel/http/http.ts';
import { countUnreadInInbox } from '../../notifications/inbox/notifications.ts';
import { getSidebar } from '../../search/lookup/sidebar.ts';
import { getCurrentTimer } from '../../time/tracking/time-tracking.ts';
import { readRecentProjects } from './appearance.ts';
import type { FrameAnswers } from './workspace-frame.tsx';

export interface NamedRead extends BatchedRead {
  readonly name: string;
  readonly isOptional: boolean;
}

export function listFrameReads(c: HttpContext): readonly NamedRead[] {
  return [
    { name: 'timer', operation: getCurrentTimer, input: {}, isOptional: true },
    { name: 'unread', operation: countUnreadInInbox, input: {}, isOptional: true },
    { name: 'seq', operation: getNewestSeq, input: {}, isOptional: true },
    { name: 'sidebar', operation: getSidebar, input: { recent: readRecentProjects(c) }, isOptional: true },
  ];
}

export function selectFrameAnswers(c: HttpContext, results: readonly ReadResult[]): FrameAnswers {
  const outputs = listFrameReads(c).map(({ name }, index) => {
    const result = results[index];
    return [name, result?.ok ? result.output : null];
  });
  const { timer, unread, seq, sidebar } = Object.fromEntries(outputs);
  return { timer, unread, seq, sidebar };
}
