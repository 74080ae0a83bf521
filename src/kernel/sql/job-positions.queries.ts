import { jobPositions } from '../../schema/cell/job-positions.ts';
import { readFirstRow, type Statement, write } from './database.ts';
import { aliasTable, nameInsertColumns, selectColumns, sql } from './sql.ts';

const excluded = aliasTable(jobPositions, 'excluded');

const positionColumn = selectColumns({ position: jobPositions.position });

export function findJobPosition(name: string): Statement<{ position: string } | null> {
  return readFirstRow(
    sql`SELECT ${positionColumn} FROM ${jobPositions} WHERE ${jobPositions.name} = ${name}`,
  );
}

export function saveJobPosition(name: string, position: string): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(jobPositions, 'name', 'position')} VALUES (${name}, ${position})
    ON CONFLICT (${jobPositions.name}) DO UPDATE SET ${jobPositions.position} = ${excluded.position}`);
}

export function deleteJobPosition(name: string): Statement<void> {
  return write(sql`DELETE FROM ${jobPositions} WHERE ${jobPositions.name} = ${name}`);
}
