// This file is long because the import operations share the functions that find, write and return an import.
import { attachmentNotFoundError } from '../../files/attachments/attachments.policy.ts';
import { findAttachment } from '../../files/attachments/attachments.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { findCharacterBoundary, shorten } from '../../kernel/text/shorten.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { buildImportPlan, freezeOptions, readImportFile } from '../model/build-import-plan.ts';
import {
  assertImportUnchanged,
  cancelImport as buildCancellation,
  startImport as buildStart,
  countImports,
  findImport,
  findTaskColumns,
  type ImportFile,
  type ImportRow,
  insertImport,
  listImportedNames,
  listMembersForImport,
  newestImportId,
  listImports as selectImports,
  updateImportPlan,
} from '../model/imports.queries.ts';
import {
  IMPORT_BYTES_MAX,
  type ImportOptions,
  importCreateInput,
  importDetail,
  importIdInput,
  importListInput,
  importPage,
  importUpdateInput,
  SOURCE_CHARACTERS_MAX,
} from '../model/imports.schema.ts';
import type { PlannedTask } from '../plan/plan-import.ts';
import { runImportAfterResponse } from '../run/run-imports.ts';
import { readSource } from '../sources/read-source.ts';
import { importNotFoundError, requireImportPermission, requireImportStatus } from './imports.policy.ts';
import { toImport, toImportReport, toListedImport } from './imports.present.ts';
import { mergeChoices } from './merge-choices.ts';

/** Rounds up, so that a file that is too large never appears to have the maximum size. */
const toMebibytes = (bytes: number) => Math.ceil((bytes * 10) / 1024 ** 2) / 10;

const writeSpec = {
  access: 'tasks:write',
  capability: 'importTasks',
  effect: 'write',
  output: importDetail,
} as const;

export const listImports = defineOperation(
  {
    name: 'listImports',
    summary: 'List imports, newest first',
    access: 'tasks:read',
    capability: 'importTasks',
    effect: 'read',
    input: importListInput,
    output: importPage,
  },
  async (ctx, input) => {
    requireImportPermission(ctx);
    const { caller, db } = ctx;
    const range = toRange(input, 1);
    const [rows, total] = await db.batch([selectImports(caller, range), countImports(caller)]);
    return buildPage({ range, total, rows, key: ({ id }) => [id], show: toListedImport });
  },
);

export const getImport = defineOperation(
  {
    name: 'getImport',
    summary: 'Get an import with its report',
    access: 'tasks:read',
    capability: 'importTasks',
    effect: 'read',
    input: importIdInput,
    output: importDetail,
  },
  async (ctx, { id }) => {
    return toImport(await requireImport(ctx, id));
  },
);

export const createImport = defineOperation(
  {
    ...writeSpec,
    name: 'createImport',
    summary: 'Prepare an import of a CSV file or a Trello board into a project',
    description:
      "The import creates no tasks until you start it. If you don't start it within 7 days, it is deleted. The report shows how the import will use each column. Before you create the import, upload the file to the project. The file can have up to 10 MiB and 20,000 rows. For a Trello board, upload the JSON that Trello exports.",
    input: importCreateInput,
    replay: { entity: newestImportId, rebuild: (ctx, _input, id) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { projectId, attachmentId, source: given, ...options }) => {
    requireImportPermission(ctx);
    const { caller, db } = ctx;
    const [columns, file] = await db.batch([
      findTaskColumns(caller.workspace, projectId),
      findAttachment(caller, { project: projectId }, attachmentId),
    ]);
    if (!columns) throw projectNotFoundError(projectId, 'projectId');
    if (!file) throw attachmentNotFoundError({ project: projectId }, attachmentId);
    if (file.file_size > IMPORT_BYTES_MAX) {
      throw invalidRequestError(
        `The file must be at most ${toMebibytes(IMPORT_BYTES_MAX)} MiB; it is ${toMebibytes(file.file_size)} MiB. Split it and import the parts one at a time.`,
      );
    }
    const planned = await planImportFile(
      ctx,
      { ...file, attachment: file.id, project: projectId, source: given },
      options,
    );
    const [created] = await db.writeThenRead(
      insertImport(ctx, { ...planned, ...toImportFile(file), project: projectId }),
      [findImport(caller, newestImportId)],
    );
    if (!created) throw importNotFoundError(0);
    return toImport(created);
  },
);

export const updateImport = defineOperation(
  {
    ...writeSpec,
    name: 'updateImport',
    summary: 'Change how a prepared import reads its file',
    description:
      'Omitted options are reset, but new `choices` are added to the earlier ones. Returns a new report.',
    input: importUpdateInput,
    replay: { rebuild: (ctx, { id }) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { id, source, ...options }) => {
    const found = await requireImport(ctx, id);
    requireImportStatus(found, ['ready'], 'changed');
    const choices = mergeChoices(found, options);
    const planned = await planImportFile(
      ctx,
      { ...found, source: source ?? found.source },
      { ...options, choices },
    );
    return writeAndReadImport(ctx, found, [updateImportPlan(ctx, id, planned)]);
  },
);

export const startImport = defineOperation(
  {
    ...writeSpec,
    name: 'startImport',
    summary: 'Start a prepared import',
    description:
      'Creates the tasks in the background, without notifications. Poll `GET /imports/{id}` until the status is no longer `running`. Starting a running import changes nothing. Up to 2 imports per workspace run at a time.',
    input: importIdInput,
    replay: { rebuild: (ctx, { id }) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { id }) => {
    const found = await requireImport(ctx, id);
    if (found.status === 'running') return toImport(found);
    requireImportStatus(found, ['ready'], 'started');
    const started = await writeAndReadImport(ctx, found, buildStart(ctx, id));
    runImportAfterResponse(ctx, id);
    return started;
  },
);

export const cancelImport = defineOperation(
  {
    ...writeSpec,
    name: 'cancelImport',
    summary: 'Cancel an import',
    description:
      'Tasks that the import has already created are kept. Canceling a canceled import changes nothing.',
    input: importIdInput,
    replay: { rebuild: (ctx, { id }) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { id }) => {
    const found = await requireImport(ctx, id);
    if (found.status === 'canceled') return toImport(found);
    requireImportStatus(found, ['ready', 'running'], 'canceled');
    return writeAndReadImport(ctx, found, [buildCancellation(ctx, found)]);
  },
);

/**
 * If the file doesn't name its source, the source is the file name, because files with different names rarely use the
 * same ids for the same tasks.
 */
function toDefaultSource(fileName: string): string {
  return fileName.slice(0, findCharacterBoundary(fileName, SOURCE_CHARACTERS_MAX)).trim() || 'csv';
}

async function requireImport({ caller, db, reach }: Context, id: number): Promise<ImportRow> {
  const [found] = await db.batch([findImport(caller, id)]);
  if (!found || reach !== 'all') throw importNotFoundError(id);
  return found;
}

async function writeAndReadImport(
  { caller, db }: Context,
  before: ImportRow,
  writes: ReturnType<typeof updateImportPlan>[],
) {
  const [after] = await db.writeThenRead(
    [assertImportUnchanged(caller, before), ...writes],
    [findImport(caller, toIdParameter(before.id))],
  );
  if (!after) throw importNotFoundError(before.id);
  return toImport(after);
}

function toImportFile({
  id,
  file_name,
  object_key,
  etag,
}: Omit<ImportFile, 'attachment'> & { id: number }): ImportFile {
  return { attachment: id, file_name, object_key, etag };
}

async function planImportFile(
  { caller, db, now, request }: Context,
  file: ImportFile & { project: number; source: string | undefined },
  options: ImportOptions,
) {
  const { workspace } = caller;
  const bytes = await readImportFile(request.env, file);
  if (!bytes) throw attachmentNotFoundError({ project: file.project }, file.attachment);
  const read = readSource(bytes, options.columns);
  const source = file.source ?? read.name ?? toDefaultSource(file.file_name);
  const [people, columns, imported] = await db.batch([
    listMembersForImport(workspace),
    findTaskColumns(workspace, file.project),
    listImportedNames(workspace, file.project, source),
  ]);
  const { timezone } = caller;
  const input = {
    bytes,
    source: read,
    options,
    people,
    columns: columns?.task_columns ?? null,
    timezone,
    now,
  };
  const plan = await buildImportPlan(input);
  const names = new Map(imported.map(({ external_id, name }) => [external_id, name]));
  const existing = plan.tasks.filter(({ key }) => names.has(key));
  const notes = [...describeNameConflicts(existing, names), ...plan.notes];
  return {
    source,
    options: JSON.stringify(freezeOptions(input)),
    report: JSON.stringify(toImportReport({ ...plan, notes }, people)),
    total: plan.tasks.length,
    existing: existing.length,
  };
}

/** If the stored task has another name, the row may belong to another list that uses the same ids. */
function describeNameConflicts(existing: readonly PlannedTask[], names: ReadonlyMap<string, string | null>) {
  return existing.flatMap(({ key, row, name }) => {
    const stored = names.get(key) ?? null;
    if (stored === null || stored === name) return [];
    const text = `Has the same id as '${shorten(stored, 100)}', which was already imported. The row is left out.`;
    return [{ row, text }];
  });
}
