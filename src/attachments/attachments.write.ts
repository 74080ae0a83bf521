import type { Statement } from '../kernel/database.ts';
import type { Context } from '../kernel/operation.ts';
import { assertWritable } from '../task-model/tasks.queries.ts';
import { recordFile } from '../task-write/tasks.write.ts';
import {
  type AttachmentDraft,
  assertProjectVisible,
  insertAttachment,
  type Target,
} from './attachments.queries.ts';
import { use } from './storage.queries.ts';
import { storageBytesMax } from './storage.ts';

/** Undoes the batch unless the caller may still add files to the target. */
export function assertTarget({ caller }: Pick<Context, 'caller'>, target: Target): Statement<void> {
  return 'task' in target
    ? assertWritable(caller, target.task)
    : assertProjectVisible(caller, target.project);
}

/**
 * The one way in which an uploaded object becomes an attachment: row, versions, storage and history in one batch. It
 * conflicts if the upload has ended, so that each upload is recorded once, even in a race.
 */
export function recordAttachment(ctx: Context, draft: AttachmentDraft): Statement<void>[] {
  const { caller, now } = ctx;
  const { target } = draft;
  return [
    assertTarget(ctx, target),
    ...use(caller, draft.s3Key, storageBytesMax(caller)),
    ...insertAttachment(caller, draft, now),
    ...('task' in target
      ? recordFile(ctx, target.task, { type: 'attachment_added', to: draft.fileName })
      : []),
  ];
}
