import { firstRow, type Statement, write } from './database.ts';
import { sweeps } from './positions.sql.ts';
import { columns, into, names, sql } from './sql.ts';

const excluded = names(sweeps, 'excluded');

const positionColumn = columns({ position: sweeps.position });

/** The position of a job that continues over many runs; its cell stores it. */
export function findPosition(name: string): Statement<{ position: string } | null> {
  return firstRow(sql`SELECT ${positionColumn} FROM ${sweeps} WHERE ${sweeps.name} = ${name}`);
}

export function savePosition(name: string, position: string): Statement<void> {
  return write(sql`
    INSERT INTO ${into(sweeps, 'name', 'position')} VALUES (${name}, ${position})
    ON CONFLICT (${sweeps.name}) DO UPDATE SET ${sweeps.position} = ${excluded.position}`);
}

export function forgetPosition(name: string): Statement<void> {
  return write(sql`DELETE FROM ${sweeps} WHERE ${sweeps.name} = ${name}`);
}
