import { isAfterFirstEvent } from '../../events/log/task-events.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { projects } from '../../schema/cell/projects.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';

const e = aliasTable(events, 'e');
const p = aliasTable(projects, 'p');

const projectColumns = selectColumns({ id: p.id, name: p.name });

export function findTargetProject(
  caller: Caller,
  project: number,
): Statement<Row<typeof projectColumns> | null> {
  return readFirstRow(sql`
    SELECT ${projectColumns} FROM ${p}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project} AND ${isProjectVisible(caller, p.id)}`);
}

const moveColumns = selectColumns({ seq: e.seq, changes: e.changes });

export function findLastOwnMove(
  caller: Caller,
  task: number,
  since: number,
): Statement<Row<typeof moveColumns> | null> {
  return readFirstRow(sql`
    SELECT ${moveColumns} FROM ${e} INDEXED BY events_by_task
    WHERE ${e.ws} = ${caller.workspace} AND ${e.task} = ${task} AND ${isAfterFirstEvent(e)} AND ${e.type} = 'task.moved'
      AND ${e.actor} = ${caller.member} AND ${e.occurred_at} >= ${since}
    ORDER BY ${e.seq} DESC LIMIT 1`);
}

export function assertTargetProjectVisible(caller: Caller, project: number): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${p}
      WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project} AND ${isProjectVisible(caller, p.id)})`);
}
