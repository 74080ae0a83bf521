import { getCell } from '../../support/env.ts';
import type { Person, Workspace } from '../../support/world.ts';

export interface StoredEntry {
  id: number;
  task: number;
  started_at: number;
  ended_at: number | null;
}

type WorkspaceLocation = Pick<Workspace, 'no' | 'cell'>;

export async function insertEntry(
  { no, cell }: WorkspaceLocation,
  person: Person,
  task: number,
  startedAt: number,
  endedAt: number | null,
): Promise<number> {
  const stored = await getCell(cell)
    .prepare(
      'INSERT INTO time_entries (ws, member, task, started_at, ended_at) VALUES (?, ?, ?, ?, ?) RETURNING id',
    )
    .bind(no, person.member, task, startedAt, endedAt)
    .first<{ id: number }>();
  return Number(stored?.id);
}

export async function readStoredEntries({ cell }: WorkspaceLocation, person: Person): Promise<StoredEntry[]> {
  const { results } = await getCell(cell)
    .prepare('SELECT id, task, started_at, ended_at FROM time_entries WHERE member = ? ORDER BY id')
    .bind(person.member)
    .all<StoredEntry>();
  return results;
}

export function findInvalidEntries(entries: readonly StoredEntry[]): string[] {
  const faults: string[] = [];
  const getEnd = (entry: StoredEntry) => entry.ended_at ?? Number.MAX_SAFE_INTEGER;
  entries.forEach((one, index) => {
    if (getEnd(one) < one.started_at) faults.push(`${one.id} ends before it starts`);
    for (const other of entries.slice(index + 1)) {
      const common = Math.min(getEnd(one), getEnd(other)) - Math.max(one.started_at, other.started_at);
      if (common > 0) faults.push(`${one.id} and ${other.id} overlap`);
    }
  });
  return faults;
}

export async function setTimezone({ no, cell }: WorkspaceLocation, timezone: string): Promise<void> {
  await getCell(cell).prepare('UPDATE workspaces SET timezone = ? WHERE no = ?').bind(timezone, no).run();
}
