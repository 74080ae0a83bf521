import { getReach } from '../../kernel/access/capabilities.ts';
import { MINUTE_MS } from '../../kernel/dates/durations.ts';
import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unlimitedAllowance } from '../../kernel/sql/budget.ts';
import { type Database, WriteConflictError } from '../../kernel/sql/database.ts';
import { ArchiveWriter } from '../archive/archive-writer.ts';
import { buildPendingKey, type Position } from '../model/position.ts';
import type { Lookups } from '../tables/table.ts';
import { readPending, storeBytes } from './archive-bytes.ts';
import { runStep, STEP_COST, type StepContext } from './run-steps.ts';
import {
  assertExportClaimed,
  claimExport,
  completeExport,
  type ExporterRow,
  failExport,
  findExporter,
  hasDueExports,
  listDueExports,
  listFieldIds,
  listParts,
  listPeopleNumbers,
  type RunningExport,
  releaseExport,
  saveSlice,
  saveUpload,
} from './slices.queries.ts';

const EXPORTS_PER_RUN_MAX = 5;
/** A slice reads this many pages at most, so that a run that dies loses little. */
const STEPS_PER_SLICE_MAX = 25;
/** The calls to claim an export, read what it refers to, complete it and release it. */
const RUN_COST = 12;
/** The calls of a slice besides its steps: it reads and writes the pending bytes, uploads parts and saves the position. */
const SLICE_COST = 10;
/** The platform stops work 30 seconds after a response, so a run ends earlier. A cron job then continues the export. */
const RUN_MS_MAX = 20_000;
/** Longer than any run, so that an export is continued by another run only if its run has died. */
const LEASE_MS = 2 * MINUTE_MS;
/** A request may make 1,000 calls, also after its response. A slice makes up to 60. */
const SLICES_AFTER_RESPONSE_MAX = 12;
const FAILURES_MAX = 5;

/** Each slice is saved with its position, and each run continues after the last slice that was saved. */
export const continueExports: CellJob = {
  name: 'exports.run',
  cost: 1 + RUN_COST + SLICE_COST + STEP_COST,
  isDue: hasDueExports,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [due] = await cell.batch([listDueExports(scope.now, EXPORTS_PER_RUN_MAX)]);
    let isMoreLeft = due.length === EXPORTS_PER_RUN_MAX;
    for (const each of due) {
      if (allowance.left < RUN_COST + SLICE_COST + STEP_COST) return true;
      const limits = {
        allowance,
        msMax: RUN_MS_MAX / due.length,
        slicesMax: Number.POSITIVE_INFINITY,
      };
      if (!(await tryToContinueExport(scope, cell, each, limits))) isMoreLeft = true;
    }
    return isMoreLeft;
  },
};

export function runExportAfterResponse({ request, caller }: Context, id: number): void {
  const cell = request.cellAfterResponse(caller.cell);
  if (!cell) return;
  const limits = {
    allowance: unlimitedAllowance,
    msMax: RUN_MS_MAX,
    slicesMax: SLICES_AFTER_RESPONSE_MAX,
  };
  request.afterResponse('export.run', () =>
    tryToContinueExport(request, cell, { id, ws: caller.workspace }, limits),
  );
}

interface RunLimits {
  readonly allowance: Allowance;
  readonly msMax: number;
  readonly slicesMax: number;
}

type RunScope = Pick<RequestScope, 'env' | 'now'>;

/** Returns whether there is nothing left to do for this run, even if another run is still working. */
async function tryToContinueExport(
  scope: RunScope,
  cell: Database,
  due: { readonly id: number; readonly ws: number },
  limits: RunLimits,
): Promise<boolean> {
  const [[claimed]] = await cell.batch([claimExport(due, scope.now, scope.now + LEASE_MS)]);
  if (!claimed) return true;
  const fail = async (problem: string) => {
    await cell.batch([failExport(claimed, problem, scope.now)]);
    return true;
  };
  const giveUp = () => fail('Something went wrong on our end. Start a new export.');
  // The failures are also checked before the run, because the platform can stop a run without an error.
  if (claimed.failures > FAILURES_MAX) return giveUp();
  let running = claimed;
  try {
    const { exporter, lookups } = await readLookups(cell, claimed);
    if (!exporter) return fail('The person who started the export has left the workspace.');
    if (claimed.person === 0 && getReach(exporter, 'exportWorkspace') !== 'all')
      return fail('The person who started the export can no longer export the workspace.');
    const began = Date.now();
    const countSlices = () => running.version - claimed.version;
    const isOver = () =>
      limits.allowance.left < RUN_COST + SLICE_COST + STEP_COST ||
      Date.now() - began > limits.msMax ||
      countSlices() >= limits.slicesMax;
    running = await openUpload(scope, cell, running);
    for (let position = parsePosition(running); position.step !== 'done'; position = parsePosition(running)) {
      // Every run writes at least one slice, so that the export makes progress.
      if (countSlices() > 0 && isOver()) {
        await cell.batch([releaseExport(running)]);
        return false;
      }
      running = await runSlice(scope, cell, running, { exporter, lookups, limits });
    }
    await finishExport(scope, cell, running);
    return true;
  } catch (error) {
    if (error instanceof WriteConflictError) return true;
    log('error', 'export.failed', { export: claimed.id, cause: describeError(error) });
    if (running.failures >= FAILURES_MAX) return giveUp();
    await cell.batch([releaseExport(running)]);
    return false;
  }
}

async function readLookups(
  cell: Database,
  claimed: RunningExport,
): Promise<{ exporter: ExporterRow | undefined; lookups: Lookups }> {
  const [[exporter], people, fields] = await cell.batch([
    findExporter(claimed),
    listPeopleNumbers(claimed.ws),
    listFieldIds(claimed.ws),
  ]);
  const lookups = {
    people: new Map(people.map(({ no, user_id }) => [no, user_id])),
    fields: new Set(fields.map(({ id }) => `cf_${id}`)),
  };
  return { exporter, lookups };
}

const parsePosition = ({ position }: RunningExport): Position => JSON.parse(position);

async function openUpload({ env }: RunScope, cell: Database, running: RunningExport): Promise<RunningExport> {
  if (running.upload_id !== null) return running;
  const { uploadId } = await env.FILES.createMultipartUpload(running.object_key, {
    httpMetadata: { contentType: 'application/zip' },
  });
  await cell.batch([assertExportClaimed(running), saveUpload(running, uploadId)]);
  return { ...running, upload_id: uploadId };
}

interface SliceContext {
  readonly exporter: ExporterRow;
  readonly lookups: Lookups;
  readonly limits: RunLimits;
}

async function runSlice(
  { env }: RunScope,
  cell: Database,
  running: RunningExport,
  { exporter, lookups, limits }: SliceContext,
): Promise<RunningExport> {
  const before = parsePosition(running);
  const pending = await readPending(env.FILES, running, before);
  const writer = new ArchiveWriter(before.archive, { time: running.created_at, pending });
  const step: StepContext = { cell, bucket: env.FILES, running, exporter, lookups, writer, files: [] };
  let position = before;
  for (let count = 0; count < STEPS_PER_SLICE_MAX; count += 1) {
    const { step: name } = position;
    position = await runStep(position, step);
    // The manifest and the directory list what earlier slices have saved.
    const mustSave = position.step !== name && position.step !== 'tables' && position.step !== 'files';
    if (mustSave || writer.pendingBytes >= running.part_bytes) break;
    if (limits.allowance.left < RUN_COST + SLICE_COST + STEP_COST) break;
  }
  const stored = await storeBytes(env.FILES, running, position, writer);
  const text = JSON.stringify({ ...position, ...stored.position, archive: writer.state });
  await cell.batch([
    assertExportClaimed(running),
    ...saveSlice(running, {
      position: text,
      bytes: writer.state.bytes,
      entries: writer.takeWritten(),
      parts: stored.parts,
    }),
  ]);
  return { ...running, position: text, version: running.version + 1, failures: 0 };
}

async function finishExport({ env, now }: RunScope, cell: Database, running: RunningExport): Promise<void> {
  const { object_key, upload_id } = running;
  const { archive } = parsePosition(running);
  const [parts] = await cell.batch([listParts(running)]);
  let object: R2Object | null;
  try {
    object = await env.FILES.resumeMultipartUpload(object_key, upload_id ?? '').complete(parts);
  } catch (error) {
    // R2 rejects a second completion. After a crash, the first one may already have created the object.
    object = await env.FILES.head(object_key);
    if (object?.size !== archive.bytes) throw error;
  }
  await cell.batch([
    assertExportClaimed(running),
    completeExport(running, { etag: object.etag, bytes: archive.bytes }, now),
  ]);
  await env.FILES.delete([buildPendingKey(object_key, 0), buildPendingKey(object_key, 1)]);
}
