import { continueExports } from '../../src/exports/run/run-exports.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { addCsvFile } from '../imports/prepare-import.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { openScope } from '../support/scope.ts';
import { createTask, type Person, type Workspace, type World } from '../support/world.ts';

export const LEASE_MS = 2 * 60_000;

/** Inserts the row of an export that no run has worked on yet, or that has ended. Returns its id. */
export async function insertExport(
  { cell, no, id }: Pick<Workspace, 'cell' | 'no' | 'id'>,
  { member }: Pick<Person, 'member'>,
  {
    createdAt = Date.now(),
    status = 'running',
    person = 0,
  }: { createdAt?: number; status?: string; person?: number } = {},
): Promise<number> {
  const key = `${cell}/${id}/export-${crypto.randomUUID()}`;
  const isOver = status !== 'running';
  const row = await getCell(cell)
    .prepare(
      `INSERT INTO exports (ws, member, person, status, has_files, object_key, etag, part_bytes, position, created_at,
        finished_at, expires_at)
      VALUES (?, ?, ?, ?, 1, ?, ?, 8388608, ?, ?, ?, ?) RETURNING id`,
    )
    .bind(
      ...[no, member, person, status, key, isOver ? 'none' : null, JSON.stringify(firstPosition), createdAt],
      ...(isOver ? [createdAt, createdAt + 86_400_000] : [null, null]),
    )
    .first<number>('id');
  return row ?? 0;
}

/** Deletes the exports of a workspace, or all exports in the cell, without their objects. */
export async function deleteExports(cell: number, ws?: number): Promise<void> {
  const tables = ['export_parts', 'export_entries', 'exports'];
  const db = getCell(cell);
  await db.batch(
    tables.map((table) => db.prepare(`DELETE FROM ${table} WHERE ws = coalesce(?, ws)`).bind(ws ?? null)),
  );
}

const firstPosition = {
  ...{
    step: 'readme',
    table: 0,
    tableFile: 1,
    after: null,
    offset: 0,
    parts: 0,
    pending: null,
    records: {},
    files: 0,
  },
  ...{ archive: { bytes: 0, entries: 0, open: null }, directory: null },
};

export async function finishExports(cell: number, now = Date.now()): Promise<void> {
  while (await continueExports.run(openScope(now), cell, unlimitedAllowance));
}

export const readExport = async (person: Pick<Person, 'token'>, id: number) =>
  (await api(person.token).get(`/exports/${id}`)).body;

/** Adds three files that together need several parts, and tasks with comments. */
export async function addLargeFiles(world: World, bytes: readonly number[]): Promise<void> {
  const { owner } = world.people;
  for (const [index, size] of bytes.entries()) {
    const content = new Uint8Array(size).map((_, at) => (at * (index + 7)) ^ (at >> 9));
    await addCsvFile(world, owner, world.projects.joined.id, content, `large ${index}.bin`);
    const { id } = await createTask(owner, world.projects.joined.id, { name: `Task ${index}` });
    await api(owner.token).post(`/tasks/${id}/comments`, { content: `Comment ${index}` });
  }
}
