import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { Answer } from '../../kernel/operation/answer.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { randomSecret } from '../../kernel/secrets/tokens.ts';
import { StaleCaller, WriteConflict } from '../../kernel/sql/database.ts';
import { KeyUsedBefore } from '../../kernel/sql/idempotency-key.ts';
import { findProject } from '../../projects/operations/projects.ts';
import { findTaskState } from '../../tasks/model/tasks.queries.ts';
import { requireUnarchived } from '../../tasks/write/edit-task.ts';
import { attachmentNotFound, uploadEnded } from '../attachments/attachments.policy.ts';
import { toAttachment } from '../attachments/attachments.present.ts';
import { findAttachmentByKey, findFirstVersion, type Target } from '../attachments/attachments.queries.ts';
import { attachment } from '../attachments/attachments.schema.ts';
import { targetNotFound } from '../attachments/attachments.ts';
import { assertTarget, recordAttachment } from '../attachments/attachments.write.ts';
import {
  endUpload,
  findRecorded,
  findStorage,
  findUpload,
  findUploadById,
  newestUpload,
  reserve,
} from '../attachments/storage.queries.ts';
import { createObjectKey, requireStorage, storageBytesMax } from '../attachments/storage.ts';
import { ownerOf, requireSession, sessionStub } from './session.ts';
import type { UploadPlan } from './session-state.ts';
import { missingParts, sessionClosed, sessionNotFound } from './uploads.policy.ts';
import {
  abortedUpload,
  chunkBytesOf,
  sessionId,
  startedUpload,
  uploadInput,
  uploadStatus,
} from './uploads.schema.ts';

const SESSION_MS = 24 * 60 * 60_000;

export const initUpload = operation(
  {
    name: 'initUpload',
    summary: 'Open a session to upload a large file in chunks',
    description:
      'The declared size counts towards the storage limit until the session is completed, aborted or expires after 24 hours.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: uploadInput,
    output: startedUpload,
    example: { taskId: 1, fileName: 'storyboard.pdf', fileType: 'application/pdf', fileSize: 482_133 },
    repeat: {
      entity: newestUpload,
      answer: async (ctx, _input, id) => {
        const [upload] = await ctx.db.batch([findUploadById(ctx.caller, id)]);
        if (!upload?.session) throw uploadEnded();
        return started((await requireSession(ctx, upload.session)).plan);
      },
    },
  },
  async (ctx, { taskId, projectId, parentId = null, ...file }) => {
    const { caller, db, now } = ctx;
    const target = targetOf(taskId, projectId);
    if (parentId !== null && !('task' in target)) {
      throw invalidRequestError('parentId requires taskId: project files have no versions');
    }
    const parent = await requireTarget(ctx, target, parentId, file.fileSize);
    const chunkSize = chunkBytesOf(file.fileSize);
    const plan: UploadPlan = {
      ...file,
      sessionId: randomSecret(),
      owner: ownerOf(caller),
      cell: caller.cell,
      target,
      parentId: parent,
      s3Key: createObjectKey(caller),
      chunkSize,
      totalChunks: Math.ceil(file.fileSize / chunkSize),
      expiresAt: now + SESSION_MS,
    };
    const session = sessionStub(ctx.request, plan.sessionId);
    await session.open(plan);
    try {
      const upload = { ...plan, session: plan.sessionId };
      await db.batch([assertTarget(ctx, target), ...reserve(caller, upload, storageBytesMax(caller))]);
    } catch (error) {
      // The client hasn't seen the session id yet. If a lost connection hid a commit, a retry with the key finds it.
      if (wasUndone(error)) ctx.request.afterAnswer('upload.discard', () => session.discard());
      throw error;
    }
    return started(plan);
  },
);

function wasUndone(error: unknown): boolean {
  return error instanceof WriteConflict || error instanceof StaleCaller || error instanceof KeyUsedBefore;
}

function started({ sessionId, chunkSize, totalChunks, expiresAt }: UploadPlan) {
  return { sessionId, status: 'open' as const, chunkSize, totalChunks, expiresAt: toTimestamp(expiresAt) };
}

export const getUploadStatus = operation(
  {
    name: 'getUploadStatus',
    summary: 'Get the progress of an upload session',
    description: 'missingParts lists the chunks you still have to upload.',
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

export const completeUpload = operation(
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
      await noteEnd(id, () => sessionStub(request, id).finish());
      return new Answer(toAttachment(request, recorded), { status: 200 });
    }
    if (!task && !project) throw targetNotFound(target);
    if (state === 'aborted' || !upload) throw sessionClosed(id, 'aborted');
    if (plan.parentId !== null && !first) {
      // The file was removed, so the session can't become an attachment. The error leaves the idempotency key unused.
      await end({ ...ctx, db: db.withoutIdempotencyKey() }, plan);
      throw attachmentNotFound(target, plan.parentId);
    }
    if (task) requireUnarchived(task);
    const assembled = await sessionStub(request, id).assemble(ownerOf(caller));
    if (assembled.kind === 'gone') throw sessionNotFound(id);
    if (assembled.kind === 'aborted') throw sessionClosed(id, 'aborted');
    if (assembled.kind === 'missing') throw missingParts(assembled.missingParts, plan.totalChunks);
    const draft = { ...plan, parent: plan.parentId, objectKey: s3Key, etag: assembled.etag };
    const [created] = await db.writeThenRead(recordAttachment(ctx, draft), [
      findAttachmentByKey(caller, s3Key),
    ]);
    if (!created) throw new Error('an attachment that the batch recorded was not found');
    await noteEnd(id, () => sessionStub(request, id).finish());
    return toAttachment(request, created);
  },
);

const abortSpec = {
  summary: 'Abort an upload session, delete its chunks and free its storage',
  description: 'Safe to repeat. POST and DELETE are equivalent.',
  access: 'tasks:write' as const,
  capability: 'manageOwn' as const,
  effect: 'write' as const,
  input: z.strictObject({ sessionId }),
  output: abortedUpload,
};

export const abortUpload = operation({ ...abortSpec, name: 'abortUpload' }, abort);
export const deleteUpload = operation({ ...abortSpec, name: 'deleteUpload' }, abort);

async function abort(ctx: Context, { sessionId: id }: { sessionId: string }) {
  const { plan, state } = await requireSession(ctx, id);
  if (state === 'completed') throw sessionClosed(id, state);
  if (state !== 'aborted') await end(ctx, plan);
  return { sessionId: id, status: 'aborted' as const };
}

/** The first batch wins: a complete that arrives later finds no upload. */
async function end({ db, request }: Context, { s3Key, sessionId: id }: UploadPlan): Promise<void> {
  const [recorded] = await db.batch([findRecorded(s3Key), ...endUpload(s3Key)]);
  if (recorded) throw sessionClosed(id, 'completed');
  await sessionStub(request, id).abort();
}

function targetOf(task: number | undefined, project: number | undefined): Target {
  if (task !== undefined) return { task };
  if (project !== undefined) return { project };
  throw invalidRequestError('taskId or projectId is required: the task or project to attach the file to');
}

/** Returns the id of the first version if the upload is a later one. */
async function requireTarget(
  { caller, db }: Context,
  target: Target,
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
  if (!state && !project) throw targetNotFound(target);
  if (parentId !== null && !first) throw attachmentNotFound(target, parentId);
  requireStorage(caller, storage, askedBytes);
  if (state) requireUnarchived(state);
  return first?.id ?? null;
}

/** The database has already decided, so a failure here doesn't change the response. */
async function noteEnd(session: string, work: () => Promise<unknown>) {
  try {
    await work();
  } catch (error) {
    log('error', 'upload.finish', { session, cause: describeError(error) });
  }
}
