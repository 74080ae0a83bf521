import { getCell } from '../support/env.ts';
import type { Workspace, World } from '../support/world.ts';

export interface StoredEntry {
  readonly id: number;
  readonly type: string;
  readonly actor: number | null;
  readonly member: number | null;
  readonly credential_kind: string;
  readonly credential_name: string | null;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly subject_name: string | null;
  readonly details: string;
}

export async function readAuditEntries(
  { cell, no }: Pick<Workspace<never>, 'cell' | 'no'>,
  id = 0,
): Promise<StoredEntry[]> {
  const { results } = await getCell(cell)
    .prepare('SELECT * FROM audit_entries WHERE ws = ? AND id > ? ORDER BY id')
    .bind(no, id)
    .all<StoredEntry>();
  return results;
}

export async function readAuditTypes(
  world: Pick<Workspace<never>, 'cell' | 'no'>,
  id = 0,
): Promise<string[]> {
  return (await readAuditEntries(world, id)).map(({ type }) => type);
}

export async function readLastAuditId(world: Pick<Workspace<never>, 'cell' | 'no'>): Promise<number> {
  return (await readAuditEntries(world)).at(-1)?.id ?? 0;
}

/** Noon UTC is the same date in nearly every time zone. */
export const START = Date.parse('2026-03-02T12:00:00.000Z');

interface AuditEntryDraft {
  readonly type: string;
  readonly actor: number;
  readonly day: number;
}

export async function insertAuditEntries({ cell, no }: World, drafts: readonly AuditEntryDraft[]) {
  await getCell(cell)
    .prepare(
      `INSERT INTO audit_entries (ws, type, actor, credential_kind, occurred_at)
        SELECT ?, j.value ->> 'type', j.value ->> 'actor', 'browser', ? + (j.value ->> 'day') * 86400000
        FROM json_each(?) j`,
    )
    .bind(no, START, JSON.stringify(drafts))
    .run();
}
