import { jobPositions } from '../../schema/cell/positions.ts';
import { firstRow, type Statement, write } from './database.ts';
import { columns, into, names, sql } from './sql.ts';

const excluded = names(jobPositions, 'excluded');

const positionColumn = columns({ position: jobPositions.position });

export function findJobPosition(name: string): Statement<{ position: string } | null> {
  return firstRow(sql`SELECT ${positionColumn} FROM ${jobPositions} WHERE ${jobPositions.name} = ${name}`);
}

export function saveJobPosition(name: string, position: string): Statement<void> {
  return write(sql`
    INSERT INTO ${into(jobPositions, 'name', 'position')} VALUES (${name}, ${position})
    ON CONFLICT (${jobPositions.name}) DO UPDATE SET ${jobPositions.position} = ${excluded.position}`);
}

export function deleteJobPosition(name: string): Statement<void> {
  return write(sql`DELETE FROM ${jobPositions} WHERE ${jobPositions.name} = ${name}`);
}
