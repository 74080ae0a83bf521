import { attachments } from '../attachments/attachments.sql.ts';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { columns, names, type Row, type SQL, sql, typed } from '../kernel/sql.ts';
import { tasks } from '../task-model/tasks.sql.ts';

const f = names(attachments, 'f');
const t = names(tasks, 't');

const cardColumns = columns({
  id: t.id,
  comments: t.comment_count,
});
export type CardRow = Row<typeof cardColumns> & {
  files: number;
};

/** How much hangs on the tasks of a page; files are counted up to `filesMax`, so that a card reads few rows. */
export function countOnCards(caller: Caller, pageIds: SQL, filesMax: number): Statement<CardRow[]> {
  return rows(sql`
    SELECT ${cardColumns}, ${columns({
      files: typed<number>(sql`(SELECT count(*) FROM (SELECT 1 FROM ${f} INDEXED BY attachments_by_task
        WHERE ${f.task} = ${t.id} AND ${f.latest} = 1 LIMIT ${filesMax}))`),
    })}
    FROM (${pageIds}) page CROSS JOIN ${t} ON ${t.id} = page.id AND ${t.ws} = ${caller.workspace}`);
}
