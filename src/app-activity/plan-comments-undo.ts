import type { Context } from '../kernel/operation/operation.ts';
import type { FormerComment } from '../tasks/comments/restore-comments.queries.ts';
import { restoreComment, restoreCommentContent } from '../tasks/comments/restore-comments.ts';
import { describeChange } from './describe-change.ts';
import { describeLaterChange, type LogEntry } from './log-entries.ts';
import type { PartStep } from './plan-parts-undo.ts';

export function planCommentsUndo(
  task: number,
  log: readonly LogEntry[],
  existing: ReadonlySet<number>,
  author: number,
): PartStep[] {
  const own = log.filter(({ isOwn, type }) => isOwn && type.startsWith('comment.'));
  const byComment = Map.groupBy(own, ({ entity }) => entity);
  return [...byComment].flatMap(([id, entries]) =>
    id === null || entries.some(({ type }) => type === 'comment.created')
      ? []
      : planCommentUndo({ task, id }, log, entries, { exists: existing.has(id), author }),
  );
}

function planCommentUndo(
  key: { task: number; id: number },
  log: readonly LogEntry[],
  own: readonly LogEntry[],
  { exists, author }: { exists: boolean; author: number },
): PartStep[] {
  const changes = log.filter(({ type, entity }) => type.startsWith('comment.') && entity === key.id);
  const other = changes.findLast(({ isOwn, isUndo }) => !isOwn && !isUndo);
  const latest = own.filter(({ seq }) => seq > (other?.seq ?? 0));
  const [first] = latest.length > 0 ? latest : own;
  const last = changes.findLast(({ isOwn, isUndo }) => isOwn || isUndo);
  if (!first || !last) return [];
  const deletion = own.findLast(({ type }) => type === 'comment.deleted');
  const label = describeChange((deletion ?? first).type);
  const plan = (outcome: PartStep['outcome'], reason: string | null = null): PartStep[] => [
    { label, outcome, reason },
  ];
  if (last.isUndo && last.seq > (other?.seq ?? 0)) return plan('done');
  if (latest.length === 0) return plan('kept', describeLaterChange(other?.actor ?? null));
  const former = first.replaced.comment as FormerComment | string | undefined;
  if (former === undefined) return plan('impossible', 'The previous text was too long to keep.');
  const content = typeof former === 'string' ? former : former.content;
  const deleted = deletion?.replaced.comment as FormerComment | undefined;
  if (!exists && !deleted) return plan('kept', describeLaterChange(other?.actor ?? null));
  const run = (ctx: Context) =>
    deleted
      ? restoreComment(ctx, key, { ...deleted, content })
      : restoreCommentContent(ctx, key, { author, content });
  return [{ label, outcome: 'undo', reason: null, restoration: { task: key.task, run } }];
}
