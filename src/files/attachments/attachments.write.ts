import { recordEvent } from '../../events/log/record.queries.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { assertTaskWritable } from '../../tasks/model/tasks.queries.ts';
import { type FileChange, recordTaskFileChange, toFileNameChange } from '../../tasks/write/tasks.write.ts';
import {
  type AttachmentDraft,
  type AttachmentTarget,
  assertProjectVisible,
  insertAttachment,
  newestAttachmentId,
} from './attachments.queries.ts';
import { consumeReservation } from './storage.queries.ts';
import { getStorageBytesMax } from './storage.ts';

export function assertCanAddFile(
  { caller }: Pick<Context, 'caller'>,
  target: AttachmentTarget,
): Statement<void> {
  return 'task' in target
    ? assertTaskWritable(caller, target.task)
    : assertProjectVisible(caller, target.project);
}

/** Aborts the batch if the upload has ended, so that no attachment is recorded twice. */
export function recordAttachment(ctx: Context, draft: AttachmentDraft): Statement<void>[] {
  const { caller, now } = ctx;
  const { target } = draft;
  return [
    assertCanAddFile(ctx, target),
    ...consumeReservation(caller, draft.s3Key, getStorageBytesMax(caller)),
    ...insertAttachment(caller, draft, now),
    ...recordFileChange(ctx, target, {
      type: 'attachment.created',
      id: newestAttachmentId,
      name: draft.fileName,
    }),
  ];
}

export function recordFileChange(
  ctx: Context,
  target: AttachmentTarget,
  file: FileChange,
): Statement<void>[] {
  if ('task' in target) return recordTaskFileChange(ctx, target.task, file);
  const { type, id, name } = file;
  return [
    recordEvent(ctx, {
      type,
      project: target.project,
      entity: id,
      changes: { fileName: toFileNameChange(type, name) },
    }),
  ];
}
