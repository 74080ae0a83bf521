import * as z from 'zod';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import {
  deleteUndoneRemoval,
  findRemoval,
  selectRemovedRows,
} from '../../kernel/removals/removals.queries.ts';
import { cannotRestoreError } from '../../kernel/removals/undo-window.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { cancelDeletions } from '../objects/objects.queries.ts';
import { type AttachmentTarget, readTargetVisibility } from './attachments.queries.ts';
import { assertCanAddFile, recordFileChange } from './attachments.write.ts';
import { countRestorableObjects, restoreVersions } from './remove.queries.ts';
import { buildRemoval } from './remove.ts';
import { addRestoredBytes, findStorage } from './storage.queries.ts';
import { getStorageBytesMax, requireStorageSpace } from './storage.ts';

const restorationSpec = {
  description:
    'Restores all versions. Only the person who removed the file can restore it, within 10 minutes and if it still fits within the storage limit.',
  access: 'session' as const,
  effect: 'write' as const,
  input: z.strictObject({ id: integerId, attachmentId: integerId }),
  output: successOutput,
  replay: successReplay,
  audits: ['file.restored'] as const,
};

export const restoreTaskFile = defineOperation(
  {
    ...restorationSpec,
    name: 'restoreTaskFile',
    summary: "Restore a task's removed file",
    capability: 'seeTasks',
  },
  (ctx, { id, attachmentId }) => restoreAttachment(ctx, { task: id }, attachmentId),
);

export const restoreProjectFile = defineOperation(
  {
    ...restorationSpec,
    name: 'restoreProjectFile',
    summary: "Restore a project's removed file",
    capability: 'seeProjects',
  },
  (ctx, { id, attachmentId }) => restoreAttachment(ctx, { project: id }, attachmentId),
);

const removedVersions = z.array(
  z.object({
    id: z.int(),
    task: z.int().nullable(),
    project: z.int().nullable(),
    file_name: z.string(),
    file_size: z.int(),
    object_key: z.string(),
  }),
);

async function restoreAttachment(ctx: Context, target: AttachmentTarget, first: number) {
  const { caller, db, now } = ctx;
  const removal = buildRemoval(ctx, first);
  const task = 'task' in target ? target.task : null;
  const [removed, visible, state, storage, objects] = await db.batch([
    findRemoval(removal, now),
    readTargetVisibility(caller, target),
    findTaskState(caller, task ?? -1),
    findStorage(caller),
    countRestorableObjects(selectRemovedRows(removal, now)),
  ]);
  const files = removedVersions.parse(JSON.parse(removed?.rows ?? '[]'));
  const isHere = files.every((file) =>
    'task' in target ? file.task === target.task : file.project === target.project,
  );
  const file = files.find(({ id }) => id === first);
  const isWhole = isHere && objects === files.length;
  if (!removed || !file || !isWhole || visible === 0) throw cannotRestoreError('file');
  if (state) requireUnarchived(state);
  const size = files.reduce((sum, { file_size }) => sum + file_size, 0);
  requireStorageSpace(caller, storage, size);
  await db.batch([
    assertCanAddFile(ctx, target),
    ...deleteUndoneRemoval(removal, now),
    ...cancelDeletions(files.map(({ object_key }) => object_key)),
    ...addRestoredBytes(caller, size, getStorageBytesMax(caller)),
    restoreVersions(removed.rows),
    ...recordFileChange(ctx, target, {
      type: 'attachment.created',
      id: toIdParameter(first),
      name: file.file_name,
    }),
    recordAuditEntry(ctx, {
      type: 'file.restored',
      subject: { id: first, name: file.file_name },
      details: target,
    }),
  ]);
  return { success: true as const };
}
