import { sql } from 'drizzle-orm';
import { firstRow, type Statement, write } from './database.ts';

/** The position of a job that continues over many runs; its cell stores it. */
export function findPosition(name: string): Statement<{ position: string } | null> {
  return firstRow<{ position: string }>(sql`SELECT position AS position FROM sweeps WHERE name = ${name}`);
}

export function savePosition(name: string, position: string): Statement<void> {
  return write(sql`
    INSERT INTO sweeps (name, position) VALUES (${name}, ${position})
    ON CONFLICT (name) DO UPDATE SET position = excluded.position`);
}

export function forgetPosition(name: string): Statement<void> {
  return write(sql`DELETE FROM sweeps WHERE name = ${name}`);
}
