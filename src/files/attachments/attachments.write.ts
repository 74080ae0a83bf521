import { recordEvent } from '../../events/log/record.queries.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { assertWritable } from '../../tasks/model/tasks.queries.ts';
import { type FileChange, recordFile, toFileNameChange } from '../../tasks/write/tasks.write.ts';
import {
  type AttachmentDraft,
  assertProjectVisible,
  insertAttachment,
  newestAttachment,
  type Target,
} from './attachments.queries.ts';
import { use } from './storage.queries.ts';
import { storageBytesMax } from './storage.ts';

export function assertTarget({ caller }: Pick<Context, 'caller'>, target: Target): Statement<void> {
  return 'task' in target
    ? assertWritable(caller, target.task)
    : assertProjectVisible(caller, target.project);
}

/** Every new attachment goes through this batch. It conflicts if the upload has ended, so it records each only once. */
export function recordAttachment(ctx: Context, draft: AttachmentDraft): Statement<void>[] {
  const { caller, now } = ctx;
  const { target } = draft;
  return [
    assertTarget(ctx, target),
    ...use(caller, draft.s3Key, storageBytesMax(caller)),
    ...insertAttachment(caller, draft, now),
    ...recordFileOf(ctx, target, { type: 'attachment.created', id: newestAttachment, name: draft.fileName }),
  ];
}

export function recordFileOf(ctx: Context, target: Target, file: FileChange): Statement<void>[] {
  if ('task' in target) return recordFile(ctx, target.task, file);
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
