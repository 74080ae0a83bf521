import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { attachments } from '../../schema/cell/attachments.ts';
import { comments } from '../../schema/cell/comments.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { unindexSelectedComments } from '../../search/index/comment-search.queries.ts';

const a = aliasTable(attachments, 'a');
const c = aliasTable(comments, 'c');
const e = aliasTable(timeEntries, 'e');
const r = aliasTable(taskRelations, 'r');

/** Comments, time entries and files are deleted before their task, because there can be too many for one statement. */
export function hasNoContents(task: SQL): SQL {
  return sql`
    NOT EXISTS (SELECT 1 FROM ${c} INDEXED BY comments_by_task WHERE ${c.task} = ${task})
    AND NOT EXISTS (SELECT 1 FROM ${e} INDEXED BY time_entries_by_task WHERE ${e.task} = ${task})
    AND NOT EXISTS (SELECT 1 FROM ${a} INDEXED BY attachments_by_task
      WHERE ${a.task} = ${task} AND ${a.task} IS NOT NULL AND ${a.latest} = 1)`;
}

/** @param ids a SELECT of `id`. */
export function deleteSelectedComments(ws: number, ids: SQL): Statement<void>[] {
  return [
    unindexSelectedComments(ws, ids),
    write(sql`DELETE FROM ${comments} WHERE ${comments.id} IN (${ids})`),
  ];
}

/** @param tasks a subquery with the column `id`. */
export function selectRelationIds(ws: number, tasks: SQL, side: 'source' | 'target'): SQL {
  return sql`
    SELECT ${r.id} AS id FROM ${tasks} s
    CROSS JOIN ${r} INDEXED BY ${sql.raw(`task_relations_by_${side}`)} ON ${r.ws} = ${ws} AND ${r[side]} = s.id`;
}
