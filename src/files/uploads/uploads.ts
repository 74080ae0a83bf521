// This file is long because the operations that start, complete and abort an upload share their checks.
import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { createSecret } from '../../kernel/secrets/tokens.ts';
import { StaleCallerError, WriteConflictError } from '../../kernel/sql/database.ts';
import { KeyUsedBeforeError } from '../../kernel/sql/idempotency-key.ts';
import { findProject } from '../../projects/operations/projects.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { attachmentNotFoundError, uploadEndedError } from '../attachments/attachments.policy.ts';
import { toAttachment } from '../attachments/attachments.present.ts';
import {
  type AttachmentTarget,
  findAttachmentByKey,
  findFirstVersion,
} from '../attachments/attachments.queries.ts';
import { attachment } from '../attachments/attachments.schema.ts';
import { targetNotFoundError } from '../attachments/attachments.ts';
import { assertCanAddFile, recordAttachment } from '../attachments/attachments.write.ts';
import {
  endUpload,
  findAttachmentIdByKey,
  findStorage,
  findUpload,
  findUploadById,
  newestUploadId,
  reserveUpload,
} from '../attachments/storage.queries.ts';
import { createObjectKey, getStorageBytesMax, requireStorageSpace } from '../attachments/storage.ts';
import { getSessionStub, requireSession, toOwnerKey } from './session.ts';
import type { UploadPlan } from './session-state.ts';
import {
  missingPartsError,
  parseUploadTarget,
  sessionClosedError,
  sessionNotFoundError,
} from './uploads.policy.ts';
import {
  abortedUpload,
  computeChunkSize,
  sessionId,
  startedUpload,
  uploadInput,
  uploadStatus,
} from './uploads.schema.ts';

const SESSION_LIFETIME_MS = 24 * 60 * 60_000;

export const initUpload = defineOperation(
  {
    name: 'initUpload',
    summary: 'Open a session to upload a large file in chunks',
    description:
      'The declared size counts toward the storage limit until the session is completed or aborted, or expires after 24 hours.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: uploadInput,
    output: startedUpload,
    example: { taskId: 1, fileName: 'storyboard.pdf', fileType: 'application/pdf', fileSize: 482_133 },
    replay: {
      entity: newestUploadId,
      rebuild: async (ctx, _input, id) => {
        const [upload] = await ctx.db.batch([findUploadById(ctx.caller, id)]);
        if (!upload?.session) throw uploadEndedError();
        return toStartedUpload((await requireSession(ctx, upload.session)).plan);
      },
    },
  },
  async (ctx, { taskId, projectId, parentId = null, ...file }) => {
    const { caller, db, now } = ctx;
    const target = parseUploadTarget(taskId, projectId);
    if (parentId !== null && !('task' in target)) {
      throw invalidRequestError('parentId requires taskId: project files have no versions', 'parentId');
    }
    const parent = await requireUploadTarget(ctx, target, parentId, file.fileSize);
    const chunkSize = computeChunkSize(file.fileSize);
    const plan: UploadPlan = {
      ...file,
      sessionId: createSecret(),
      owner: toOwnerKey(caller),
      cell: caller.cell,
      target,
      parentId: parent,
      s3Key: createObjectKey(caller),
      chunkSize,
      totalChunks: Math.ceil(file.fileSize / chunkSize),
      expiresAt: now + SESSION_LIFETIME_MS,
    };
    const session = getSessionStub(ctx.request, plan.sessionId);
    await session.open(plan);
    try {
      const upload = { ...plan, session: plan.sessionId };
      await db.batch([
        assertCanAddFile(ctx, target),
        ...reserveUpload(caller, upload, getStorageBytesMax(caller)),
      ]);
    } catch (error) {
      // Keeps the session if the batch may have been committed, because a retry with the same
      // idempotency key would return the session.
      if (wasRolledBack(error)) ctx.request.afterResponse('upload.discard', () => session.discard());
      throw error;
    }
    return toStartedUpload(plan);
  },
);

function wasRolledBack(error: unknown): boolean {
  const rolledBack = [WriteConflictError, StaleCallerError, KeyUsedBeforeError];
  return rolledBack.some((each) => error instanceof each);
}

function toStartedUpload({ sessionId, chunkSize, totalChunks, expiresAt }: UploadPlan) {
  return { sessionId, status: 'open' as const, chunkSize, totalChunks, expiresAt: toTimestamp(expiresAt) };
}

export const getUploadStatus = defineOperation(
  {
    name: 'getUploadStatus',
    summary: 'Get the progress of an upload session',
    description: '`missingParts` lists the chunks you still have to upload.',
    access: 'tasks:read',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({ sessionId }),
    output: uploadStatus,
  },
  async (ctx, { sessionId: id }) => {
    const [view] = await Promise.all([requireSession(ctx, id), ctx.db.batch([])]);
    const { plan, state } = view;
    return {
      sessionId: id,
      status: state === 'completed' || state === 'aborted' ? state : ('open' as const),
      fileName: plan.fileName,
      fileType: plan.fileType,
      fileSize: plan.fileSize,
      chunkSize: plan.chunkSize,
      totalChunks: plan.totalChunks,
      receivedChunks: view.receivedChunks,
      receivedBytes: view.receivedBytes,
      missingParts: view.missingParts,
      expiresAt: toTimestamp(plan.expiresAt),
    };
  },
);

export const completeUpload = defineOperation(
  {
    name: 'completeUpload',
    summary: 'Complete an upload session and create the attachment',
    description: 'Repeating the request returns 200 with the same attachment.',
    access: 'tasks:write',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ sessionId }),
    output: attachment,
  },
  async (ctx, { sessionId: id }) => {
    const { caller, db, request } = ctx;
    const { plan, state } = await requireSession(ctx, id);
    const { target, s3Key } = plan;
    const taskId = 'task' in target ? target.task : -1;
    const [recorded, upload, task, project, first] = await db.batch([
      findAttachmentByKey(caller, s3Key),
      findUpload(caller, s3Key),
      findTaskState(caller, taskId),
      findProject(caller, 'project' in target ? target.project : -1),
      findFirstVersion(caller, taskId, plan.parentId),
    ]);
    if (recorded) {
      await tryToNotifySession(id, () => getSessionStub(request, id).finish());
      return new OperationResponse(toAttachment(request, recorded), { status: 200 });
    }
    if (!task && !project) throw targetNotFoundError(target);
    if (state === 'aborted' || !upload) throw sessionClosedError(id, 'aborted');
    if (plan.parentId !== null && !first) {
      // The parent was removed, so the upload can't become one of its versions. Doesn't use the idempotency
      // key, because this operation fails.
      await endSession({ ...ctx, db: db.withoutIdempotencyKey() }, plan);
      throw attachmentNotFoundError(target, plan.parentId);
    }
    if (task) requireUnarchived(task);
    const assembled = await getSessionStub(request, id).assemble(toOwnerKey(caller));
    if (assembled.kind === 'gone') throw sessionNotFoundError(id);
    if (assembled.kind === 'aborted') throw sessionClosedError(id, 'aborted');
    if (assembled.kind === 'missing') throw missingPartsError(assembled.missingParts, plan.totalChunks);
    const draft = { ...plan, parent: plan.parentId, objectKey: s3Key, etag: assembled.etag };
    const [created] = await db.writeThenRead(recordAttachment(ctx, draft), [
      findAttachmentByKey(caller, s3Key),
    ]);
    if (!created) throw new Error('an attachment that the batch recorded was not found');
    await tryToNotifySession(id, () => getSessionStub(request, id).finish());
    return toAttachment(request, created);
  },
);

const abortSpec = {
  summary: 'Abort an upload session, delete its chunks and free its storage',
  description: 'Can be repeated safely. POST and DELETE are equivalent.',
  access: 'tasks:write' as const,
  capability: 'manageOwn' as const,
  effect: 'write' as const,
  input: z.strictObject({ sessionId }),
  output: abortedUpload,
};

export const abortUpload = defineOperation({ ...abortSpec, name: 'abortUpload' }, abortSession);
export const deleteUpload = defineOperation({ ...abortSpec, name: 'deleteUpload' }, abortSession);

async function abortSession(ctx: Context, { sessionId: id }: { sessionId: string }) {
  const { plan, state } = await requireSession(ctx, id);
  if (state === 'completed') throw sessionClosedError(id, state);
  if (state !== 'aborted') await endSession(ctx, plan);
  return { sessionId: id, status: 'aborted' as const };
}

/** The batch deletes the upload, so `completeUpload` can no longer turn it into an attachment. */
async function endSession({ db, request }: Context, { s3Key, sessionId: id }: UploadPlan): Promise<void> {
  const [recorded] = await db.batch([findAttachmentIdByKey(s3Key), ...endUpload(s3Key)]);
  if (recorded) throw sessionClosedError(id, 'completed');
  await getSessionStub(request, id).abort();
}

async function requireUploadTarget(
  { caller, db }: Context,
  target: AttachmentTarget,
  parentId: number | null,
  askedBytes: number,
): Promise<number | null> {
  const task = 'task' in target ? target.task : -1;
  const [state, project, first, storage] = await db.batch([
    findTaskState(caller, task),
    findProject(caller, 'project' in target ? target.project : -1),
    findFirstVersion(caller, task, parentId),
    findStorage(caller),
  ]);
  if (!state && !project) throw targetNotFoundError(target, { task: 'taskId', project: 'projectId' });
  if (parentId !== null && !first) throw attachmentNotFoundError(target, parentId);
  requireStorageSpace(caller, storage, askedBytes);
  if (state) requireUnarchived(state);
  return first?.id ?? null;
}

/** Only logs failures, because the database has already decided the outcome. */
async function tryToNotifySession(session: string, work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    log('error', 'upload.finish', { session, cause: describeError(error) });
  }
}
