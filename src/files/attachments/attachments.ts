import * as z from 'zod';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, toTimestamp } from '../../kernel/operation/schema.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { attachmentNotFoundError } from './attachments.policy.ts';
import { toAttachment } from './attachments.present.ts';
import {
  type AttachmentRow,
  type AttachmentTarget,
  countAttachments,
  findAttachment,
  listAttachments as selectAttachments,
} from './attachments.queries.ts';
import { attachment, attachmentDownload, attachmentWithLink } from './attachments.schema.ts';
import { buildDownloadUrl } from './download-url.ts';

const attachmentPage = buildPageSchema(attachment).meta({ id: 'AttachmentPage' });
const listInput = z.strictObject({ id: integerId, ...pageInput });
const downloadInput = z.strictObject({ id: integerId, attachmentId: integerId });

export const listTaskAttachments = defineOperation(
  {
    name: 'listTaskAttachments',
    summary: "List a task's attachments, newest first",
    description:
      "Returns the latest version of each file. `fileUrl` requires a credential; the download operation returns a URL that doesn't.",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: listInput,
    output: attachmentPage,
  },
  (ctx, { id, ...input }) => listTargetAttachments(ctx, { task: id }, input),
);

export const listTaskDownloads = defineOperation(
  {
    name: 'listTaskDownloads',
    summary: "List a task's attachments with download URLs",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: listInput,
    output: buildPageSchema(attachmentWithLink),
  },
  async (ctx, { id, ...input }) => {
    const found = await readAttachmentPage(ctx, { task: id }, input);
    const links = await Promise.all(found.rows.map((row) => buildDownloadUrl(ctx, row)));
    const urlOf = new Map(found.rows.map((row, index) => [row.id, links[index]?.url ?? '']));
    return buildPage({
      ...found,
      show: (row) => ({ ...toAttachment(ctx.request, row), url: urlOf.get(row.id) ?? '' }),
    });
  },
);

export const listProjectAttachments = defineOperation(
  {
    name: 'listProjectAttachments',
    summary: "List a project's files, newest first",
    description: "Doesn't include files attached to the project's tasks.",
    access: 'tasks:read',
    capability: 'seeProjects',
    effect: 'read',
    input: listInput,
    output: attachmentPage,
  },
  (ctx, { id, ...input }) => listTargetAttachments(ctx, { project: id }, input),
);

export const downloadTaskAttachment = defineOperation(
  {
    name: 'downloadTaskAttachment',
    summary: "Get a download URL for a task's attachment",
    description: 'The URL needs no credential and expires after 15 minutes, or when you leave the workspace.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: downloadInput,
    output: attachmentDownload,
  },
  (ctx, { id, attachmentId }) => findDownload(ctx, { task: id }, attachmentId),
);

export const downloadProjectAttachment = defineOperation(
  {
    name: 'downloadProjectAttachment',
    summary: "Get a download URL for a project's file",
    description: 'The URL needs no credential and expires after 15 minutes, or when you leave the workspace.',
    access: 'tasks:read',
    capability: 'seeProjects',
    effect: 'read',
    input: downloadInput,
    output: attachmentDownload,
  },
  (ctx, { id, attachmentId }) => findDownload(ctx, { project: id }, attachmentId),
);

type PageInput = Parameters<typeof toRange>[0];

async function listTargetAttachments(ctx: Context, target: AttachmentTarget, input: PageInput) {
  return buildPage({
    ...(await readAttachmentPage(ctx, target, input)),
    show: (row) => toAttachment(ctx.request, row),
  });
}

async function readAttachmentPage({ caller, db }: Context, target: AttachmentTarget, input: PageInput) {
  const range = toRange(input, 1);
  const [total, rows] = await db.batch([
    countAttachments(caller, target),
    selectAttachments(caller, target, range),
  ]);
  if (total < 0) throw targetNotFoundError(target);
  return { range, total, rows, key: (row: AttachmentRow) => [row.id] };
}

async function findDownload(ctx: Context, target: AttachmentTarget, id: number) {
  const [found] = await ctx.db.batch([findAttachment(ctx.caller, target, id)]);
  if (!found) throw attachmentNotFoundError(target, id);
  const { url, expiresAt } = await buildDownloadUrl(ctx, found);
  return {
    url,
    expiresAt: toTimestamp(expiresAt),
    fileName: found.file_name,
    fileType: found.file_type,
    fileSize: found.file_size,
  };
}

export function targetNotFoundError(
  target: AttachmentTarget,
  fields: { task?: string; project?: string } = {},
) {
  return 'task' in target
    ? taskNotFoundError(target.task, fields.task)
    : projectNotFoundError(target.project, fields.project);
}
