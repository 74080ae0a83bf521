import { buildExportUrl } from '../../files/attachments/download-url.ts';
import { createObjectKey } from '../../files/attachments/storage.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import {
  assertNoRunningExport,
  countExports,
  type ExportRow,
  findExport,
  findRunningExport,
  insertExport,
  newestExportId,
  removeExport,
  listExports as selectExports,
} from '../model/exports.queries.ts';
import {
  exportCreateInput,
  exportDetail,
  exportIdInput,
  exportListInput,
  exportPage,
  getPartBytes,
} from '../model/exports.schema.ts';
import { cleanExportAfterResponse } from '../run/clean-exports.ts';
import { runExportAfterResponse } from '../run/run-exports.ts';
import { getStoredBytes } from '../tables/file-tables.queries.ts';
import {
  countExportStart,
  exportNotFoundError,
  exportRunningError,
  requireExportPermission,
  requireFilesFit,
} from './exports.policy.ts';
import { toListedExport } from './exports.present.ts';

/** An archive contains everything that these scopes can read. */
const access = ['tasks:read', 'projects:read', 'time:read', 'events:read'] as const;

export const listExports = defineOperation(
  {
    name: 'listExports',
    summary: 'List exports of the workspace and of your own data, newest first',
    access,
    capability: 'exportWorkspace',
    effect: 'read',
    input: exportListInput,
    output: exportPage,
  },
  async (ctx, input) => {
    const { caller, db } = ctx;
    const range = toRange(input, 1);
    const [rows, total] = await db.batch([selectExports(caller, range), countExports(caller)]);
    return buildPage({ range, total, rows, key: ({ id }) => [id], show: toListedExport });
  },
);

export const getExport = defineOperation(
  {
    name: 'getExport',
    summary: 'Get an export, its progress and its download link',
    access,
    capability: 'exportWorkspace',
    effect: 'read',
    input: exportIdInput,
    output: exportDetail,
  },
  async (ctx, { id }) => toExport(ctx, await requireExport(ctx, id)),
);

export const createExport = defineOperation(
  {
    name: 'createExport',
    summary: 'Export the workspace or your own data as a zip file',
    description:
      'Writes the archive in the background. Poll `GET /exports/{id}` until the status is no longer `running`, and then download `downloadUrl` within 24 hours. A workspace runs one export at a time, and keeps up to 3. Only owners and admins can export the workspace. All people can export their own data, with the same limits for each person.',
    access,
    capability: 'exportWorkspace',
    effect: 'write',
    input: exportCreateInput,
    output: exportDetail,
    replay: { entity: newestExportId, rebuild: (ctx, _input, id) => getExport.handler(ctx, { id }) },
    audits: ['workspace_export.started'],
  },
  async (ctx, { contents, includeFiles }) => {
    requireExportPermission(ctx, contents);
    const { caller, db } = ctx;
    const person = contents === 'own' ? caller.member : 0;
    const [running, bytes] = await db.batch([
      findRunningExport(caller, person),
      getStoredBytes(caller.workspace),
    ]);
    if (running) throw exportRunningError(running.id, person);
    if (includeFiles) requireFilesFit(bytes);
    await countExportStart(ctx, person);
    const draft = {
      person,
      hasFiles: includeFiles,
      objectKey: createObjectKey(caller),
      partBytes: getPartBytes(includeFiles ? bytes : 0),
    };
    const [created] = await db.writeThenRead(
      [
        assertNoRunningExport(caller, person),
        ...insertExport(ctx, draft),
        recordAuditEntry(ctx, {
          type: 'workspace_export.started',
          subject: { id: newestExportId },
          details: { contents, includesFiles: includeFiles },
        }),
      ],
      [findExport(caller, newestExportId)],
    );
    if (!created) throw exportNotFoundError(0);
    runExportAfterResponse(ctx, created.id);
    return toExport(ctx, created);
  },
);

export const deleteExport = defineOperation(
  {
    name: 'deleteExport',
    summary: 'Delete an export and its archive',
    description: 'Stops the export if it is running. Its download link stops working immediately.',
    access,
    capability: 'exportWorkspace',
    effect: 'write',
    input: exportIdInput,
    output: successOutput,
    replay: successReplay,
    audits: ['workspace_export.deleted'],
  },
  async (ctx, { id }) => {
    await requireExport(ctx, id);
    await ctx.db.batch([
      ...removeExport(ctx.caller, id),
      recordAuditEntry(ctx, {
        type: 'workspace_export.deleted',
        subject: { id: String(id), name: `Export ${id}` },
      }),
    ]);
    cleanExportAfterResponse(ctx, id);
    return { success: true as const };
  },
);

async function requireExport({ caller, db }: Context, id: number): Promise<ExportRow> {
  const [found] = await db.batch([findExport(caller, id)]);
  if (!found) throw exportNotFoundError(id);
  return found;
}

async function toExport(ctx: Context, row: ExportRow) {
  const listed = toListedExport(row);
  const { status, etag, expires_at, object_key } = row;
  const isReady = status === 'completed' && etag !== null && expires_at !== null && expires_at > ctx.now;
  if (!isReady) return { ...listed, downloadUrl: null };
  const file = {
    file_name: `${toFileName(ctx.caller.workspaceName)}-${listed.createdAt.slice(0, 10)}.zip`,
    file_type: 'application/zip',
    ...{ object_key, etag },
  };
  return { ...listed, downloadUrl: await buildExportUrl(ctx, file, expires_at) };
}

function toFileName(workspaceName: string): string {
  const name = workspaceName
    .toWellFormed()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60);
  return name.replace(/^-+|-+$/g, '').toWellFormed() || 'workspace';
}
