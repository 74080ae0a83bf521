import { attachments } from '../attachments/attachments.sql.ts';
import { columns, names, sql, typed } from '../kernel/sql.ts';
import { tasks } from '../task-model/tasks.sql.ts';

const f = names(attachments, 'f');
const t = names(tasks, 't');

/** How much hangs on a task `t`; files are counted up to `filesMax`, so that a card reads few rows. */
export function countsOfCard(filesMax: number) {
  return columns({
    comments: t.comment_count,
    files: typed<number>(sql`(SELECT count(*) FROM (SELECT 1 FROM ${f} INDEXED BY attachments_by_task
      WHERE ${f.task} = ${t.id} AND ${f.latest} = 1 LIMIT ${filesMax}))`),
  });
}
