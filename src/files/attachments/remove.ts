import * as z from 'zod';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { forbiddenError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { type Removal, saveRemoval } from '../../kernel/removals/removals.queries.ts';
import { UNDO_MS } from '../../kernel/removals/undo-window.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { deleteObjects } from '../objects/delete-objects.ts';
import { attachmentNotFoundError } from './attachments.policy.ts';
import type { AttachmentTarget } from './attachments.queries.ts';
import { assertCanAddFile, recordFileChange } from './attachments.write.ts';
import {
  type FileRow,
  findFile,
  listFileObjects,
  removeFile,
  selectVersionsAsJson,
} from './remove.queries.ts';

const REMOVED_OBJECT_LIFETIME_MS = UNDO_MS + 60_000;

const removalSpec = {
  description:
    'Removes all versions, frees their storage immediately and makes their downloads return 404. Only the person who uploaded every version, the project lead, and workspace owners and admins can remove it.',
  access: 'tasks:write' as const,
  capability: 'removeFiles' as const,
  effect: 'write' as const,
  input: z.strictObject({ id: integerId, attachmentId: integerId }),
  output: successOutput,
  replay: successReplay,
  audits: ['file.deleted'] as const,
};

export const deleteTaskAttachment = defineOperation(
  { ...removalSpec, name: 'deleteTaskAttachment', summary: 'Remove a file from a task' },
  (ctx, { id, attachmentId }) => removeAttachment(ctx, { task: id }, attachmentId),
);

export const deleteProjectAttachment = defineOperation(
  { ...removalSpec, name: 'deleteProjectAttachment', summary: 'Remove a file from a project' },
  (ctx, { id, attachmentId }) => removeAttachment(ctx, { project: id }, attachmentId),
);

const undoableSpec = {
  ...removalSpec,
  access: 'session' as const,
  description: 'Removes all versions. Unlike the /v1 operation, this one can be undone.',
};

export const removeTaskFile = defineOperation(
  { ...undoableSpec, name: 'removeTaskFile', summary: 'Remove a file from a task and offer undo' },
  (ctx, { id, attachmentId }) => removeAttachment(ctx, { task: id }, attachmentId, { isUndoable: true }),
);

export const removeProjectFile = defineOperation(
  { ...undoableSpec, name: 'removeProjectFile', summary: 'Remove a file from a project and offer undo' },
  (ctx, { id, attachmentId }) => removeAttachment(ctx, { project: id }, attachmentId, { isUndoable: true }),
);

async function removeAttachment(
  ctx: Context,
  target: AttachmentTarget,
  id: number,
  { isUndoable = false } = {},
) {
  const { caller, db, now } = ctx;
  const task = 'task' in target ? target.task : -1;
  const [file, state] = await db.batch([findFile(caller, target, id), findTaskState(caller, task)]);
  if (!file) throw attachmentNotFoundError(target, id);
  requireRemovalPermission(ctx, file);
  if (state) requireUnarchived(state);
  const [objects] = await db.batch([
    listFileObjects(caller, file),
    assertCanAddFile(ctx, target),
    ...(isUndoable
      ? [saveRemoval(buildRemoval(ctx, file.first), selectVersionsAsJson(caller, file), now)]
      : []),
    ...removeFile(caller, file, isUndoable ? now + REMOVED_OBJECT_LIFETIME_MS : now),
    ...recordFileChange(ctx, target, {
      type: 'attachment.deleted',
      id: toIdParameter(file.first),
      name: file.file_name,
    }),
    recordAuditEntry(ctx, {
      type: 'file.deleted',
      subject: { id: file.first, name: file.file_name },
      details: target,
    }),
  ]);
  if (!isUndoable)
    deleteObjectsAfterResponse(
      ctx,
      objects.map((row) => row.object_key),
    );
  return { success: true as const };
}

export function buildRemoval({ caller }: Pick<Context, 'caller'>, first: number): Removal {
  return { ws: caller.workspace, kind: 'attachment', entity: first, userId: caller.userId };
}

/** Adding a version doesn't give anyone the right to remove another person's upload. */
function requireRemovalPermission({ reach }: Context, file: FileRow) {
  if (reach === 'all' || file.owns_project || file.of_others === 0) return;
  throw forbiddenError(
    `Attachment ${file.first} has versions uploaded by other people. Only a person who uploaded every version, the project lead, or a workspace owner or admin can remove it.`,
  );
}

function deleteObjectsAfterResponse({ caller, request }: Context, objectKeys: string[]) {
  const cell = request.cellAfterResponse(caller.cell);
  if (cell) request.afterResponse('objects.delete', () => deleteObjects(request, cell, objectKeys));
}
