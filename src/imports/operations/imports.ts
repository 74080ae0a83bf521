// This file is long because it declares every import operation.
import { attachmentNotFoundError } from '../../files/attachments/attachments.policy.ts';
import { findAttachment } from '../../files/attachments/attachments.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { findCharacterBoundary, shorten } from '../../kernel/text/shorten.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import {
  assertImportUnchanged,
  cancelImport as buildCancellation,
  startImport as buildStart,
  countImports,
  findColumns,
  findImport,
  type ImportFile,
  type ImportRow,
  insertImport,
  listImportedNames,
  listPeople,
  newestImportId,
  listImports as selectImports,
  updatePlan,
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
import { buildPlan, freezeOptions, readFile } from '../model/read-plan.ts';
import type { PlannedTask } from '../plan/plan-import.ts';
import { runImportAfterResponse } from '../run/run-imports.ts';
import { readSource } from '../sources/read-source.ts';
import { importNotFoundError, requireMayImport, requireStatus } from './imports.policy.ts';
import { toImport, toListedImport, toReport } from './imports.present.ts';
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
    requireMayImport(ctx);
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
      'Creates no tasks yet, and is deleted after 7 days. The report shows what will become of each column, exactly as the import does it. Upload the file to the project first, with up to 10 MiB and 20,000 rows. Trello boards are recognized by the JSON that Trello exports.',
    input: importCreateInput,
    replay: { entity: newestImportId, rebuild: (ctx, _input, id) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { projectId, attachmentId, source: given, ...options }) => {
    requireMayImport(ctx);
    const { caller, db } = ctx;
    const [columns, file] = await db.batch([
      findColumns(caller.workspace, projectId),
      findAttachment(caller, { project: projectId }, attachmentId),
    ]);
    if (!columns) throw projectNotFoundError(projectId, 'projectId');
    if (!file) throw attachmentNotFoundError({ project: projectId }, attachmentId);
    if (file.file_size > IMPORT_BYTES_MAX) {
      throw invalidRequestError(
        `The file must be at most ${toMebibytes(IMPORT_BYTES_MAX)} MiB; it is ${toMebibytes(file.file_size)} MiB. Split it and import the parts one at a time.`,
      );
    }
    const planned = await planFile(
      ctx,
      { ...file, attachment: file.id, project: projectId, source: given },
      options,
    );
    const [created] = await db.writeThenRead(
      insertImport(ctx, { ...planned, ...toFile(file), project: projectId }),
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
      'Omitted options are reset, and choices are added to the earlier ones. The report is made again.',
    input: importUpdateInput,
    replay: { rebuild: (ctx, { id }) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { id, source, ...options }) => {
    const found = await requireImport(ctx, id);
    requireStatus(found, ['ready'], 'changed');
    const choices = mergeChoices(found, options);
    const planned = await planFile(
      ctx,
      { ...found, source: source ?? found.source },
      { ...options, choices },
    );
    return writeAndRead(ctx, found, [updatePlan(ctx, id, planned)]);
  },
);

export const startImport = defineOperation(
  {
    ...writeSpec,
    name: 'startImport',
    summary: 'Start a prepared import',
    description:
      'Creates the tasks in the background, without notifications. Poll `GET /imports/{id}` until the status is no longer running. Starting a running import changes nothing. Up to 2 imports per workspace run at a time.',
    input: importIdInput,
    replay: { rebuild: (ctx, { id }) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { id }) => {
    const found = await requireImport(ctx, id);
    if (found.status === 'running') return toImport(found);
    requireStatus(found, ['ready'], 'started');
    const started = await writeAndRead(ctx, found, buildStart(ctx, id));
    runImportAfterResponse(ctx, id);
    return started;
  },
);

export const cancelImport = defineOperation(
  {
    ...writeSpec,
    name: 'cancelImport',
    summary: 'Cancel an import',
    description: 'Tasks that it has already created are kept. Canceling a canceled import changes nothing.',
    input: importIdInput,
    replay: { rebuild: (ctx, { id }) => getImport.handler(ctx, { id }) },
  },
  async (ctx, { id }) => {
    const found = await requireImport(ctx, id);
    if (found.status === 'canceled') return toImport(found);
    requireStatus(found, ['ready', 'running'], 'canceled');
    return writeAndRead(ctx, found, [buildCancellation(ctx, found)]);
  },
);

/**
 * Without a source in the file, the default is its name, because files with different names rarely use the same
 * ids for the same tasks.
 */
function toSource(fileName: string): string {
  return fileName.slice(0, findCharacterBoundary(fileName, SOURCE_CHARACTERS_MAX)).trim() || 'csv';
}

async function requireImport({ caller, db, reach }: Context, id: number): Promise<ImportRow> {
  const [found] = await db.batch([findImport(caller, id)]);
  if (!found || reach !== 'all') throw importNotFoundError(id);
  return found;
}

async function writeAndRead(
  { caller, db }: Context,
  before: ImportRow,
  writes: ReturnType<typeof updatePlan>[],
) {
  const [after] = await db.writeThenRead(
    [assertImportUnchanged(caller, before), ...writes],
    [findImport(caller, toIdParameter(before.id))],
  );
  if (!after) throw importNotFoundError(before.id);
  return toImport(after);
}

function toFile({
  id,
  file_name,
  object_key,
  etag,
}: Omit<ImportFile, 'attachment'> & { id: number }): ImportFile {
  return { attachment: id, file_name, object_key, etag };
}

async function planFile(
  { caller, db, now, request }: Context,
  file: ImportFile & { project: number; source: string | undefined },
  options: ImportOptions,
) {
  const { workspace } = caller;
  const bytes = await readFile(request.env, file);
  if (!bytes) throw attachmentNotFoundError({ project: file.project }, file.attachment);
  const read = readSource(bytes, options.columns);
  const source = file.source ?? read.name ?? toSource(file.file_name);
  const [people, columns, imported] = await db.batch([
    listPeople(workspace),
    findColumns(workspace, file.project),
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
  const plan = await buildPlan(input);
  const names = new Map(imported.map(({ external_id, name }) => [external_id, name]));
  const existing = plan.tasks.filter(({ key }) => names.has(key));
  const notes = [...describeOtherNames(existing, names), ...plan.notes];
  return {
    source,
    options: JSON.stringify(freezeOptions(input)),
    report: JSON.stringify(toReport({ ...plan, notes }, people)),
    total: plan.tasks.length,
    existing: existing.length,
  };
}

/** If the stored task has another name, the row may belong to another list that uses the same ids. */
function describeOtherNames(existing: readonly PlannedTask[], names: ReadonlyMap<string, string | null>) {
  return existing.flatMap(({ key, row, name }) => {
    const stored = names.get(key) ?? null;
    if (stored === null || stored === name) return [];
    const text = `Has the same id as '${shorten(stored, 100)}', which was imported before. The row is left out.`;
    return [{ row, text }];
  });
}
