import { getCell } from '../support/env.ts';
import type { World } from '../support/world.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Reads a task without columns that an undo doesn't restore, such as the number of history entries. */
export async function readTaskRow(world: World, id: number): Promise<Row> {
  const row = await getCell(world.cell)
    .prepare(
      `SELECT name, status, priority, assignee, tags, start_date, due, archived, archived_with, estimated_hours, hours,
        parent, subtask_count, subtasks_completed, comment_count, name_key, scheduled_time, category, type, completed_on,
        coalesce(description, (SELECT x.description FROM long_texts x WHERE x.id = t.long_text)) AS description
      FROM tasks t WHERE id = ?`,
    )
    .bind(id)
    .first<Row>();
  return row ?? {};
}

async function readParts(world: World, id: number): Promise<Row> {
  const { results } = await getCell(world.cell)
    .prepare(
      `SELECT 'checklist' AS part, lines AS value FROM checklists WHERE task = ?1 AND lines <> '[]'
      UNION ALL SELECT 'recurrence', json_array(rule, mode, days) FROM recurrences WHERE task = ?1 AND rule IS NOT NULL
      UNION ALL SELECT 'comment ' || id, json_array(author, content, day, created_at) FROM comments WHERE task = ?1
      UNION ALL SELECT 'time ' || id, json_array(member, started_at, ended_at) FROM time_entries WHERE task = ?1`,
    )
    .bind(id)
    .all<{ part: string; value: string }>();
  return Object.fromEntries(results.map(({ part, value }) => [part, value]));
}

async function readRelations(world: World, ids: readonly number[]): Promise<Row> {
  const { results } = await getCell(world.cell)
    .prepare(
      `SELECT type || ' ' || source || ' ' || target AS ends FROM task_relations
      WHERE source IN (SELECT value FROM json_each(?1)) AND target IN (SELECT value FROM json_each(?1))`,
    )
    .bind(JSON.stringify(ids))
    .all<{ ends: string }>();
  return Object.fromEntries(results.map(({ ends }) => [ends, true]));
}

export const RELATIONS_KEY = 0;

export type Rows = ReadonlyMap<number, Row>;
/** Returns rows by task id. The key `RELATIONS_KEY` holds the relations between the tasks. */
export async function readTaskRows(world: World, ids: readonly number[]): Promise<Rows> {
  const rows = ids.map(
    async (id) => [id, { ...(await readTaskRow(world, id)), ...(await readParts(world, id)) }] as const,
  );
  return new Map([[RELATIONS_KEY, await readRelations(world, ids)], ...(await Promise.all(rows))]);
}
