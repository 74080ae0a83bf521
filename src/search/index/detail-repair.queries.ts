import { readNumber, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { detailSearch, detailTexts, waitingDetails } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { hasDetailTexts } from './detail-search.queries.ts';
import { TASK_ID_MASK, toSearchRowid } from './search-index.queries.ts';

const d = aliasTable(detailTexts, 'd');
const s = aliasTable(detailSearch, 's');
const t = aliasTable(tasks, 't');
const w = aliasTable(waitingDetails, 'w');

export function findLastTaskId(): Statement<number> {
  return readNumber(sql`SELECT coalesce(max(${tasks.id}), 0) AS n FROM ${tasks}`);
}

export function requeueDetails(from: number, to: number): Statement<void> {
  return write(sql`
    INSERT OR IGNORE INTO ${nameInsertColumns(waitingDetails, 'ws', 'task')}
    SELECT abs(${t.ws}), ${t.id} FROM ${t} NOT INDEXED WHERE ${t.id} BETWEEN ${from} AND ${to} AND (
      ${hasDetailTexts(t)} OR EXISTS (SELECT 1 FROM ${d} WHERE ${d.task} = ${t.id}))`);
}

export function deleteStrayDetails(): Statement<void>[] {
  return [
    write(sql`
      DELETE FROM ${waitingDetails} WHERE (${waitingDetails.ws}, ${waitingDetails.task}) IN (
        SELECT ${w.ws}, ${w.task} FROM ${w} WHERE NOT EXISTS (
          SELECT 1 FROM ${t} WHERE ${t.id} = ${w.task} AND abs(${t.ws}) = ${w.ws}))`),
    write(sql`
      DELETE FROM ${detailTexts} WHERE ${detailTexts.task} IN (
        SELECT ${d.task} FROM ${d} WHERE NOT EXISTS (
          SELECT 1 FROM ${t} WHERE ${t.id} = ${d.task} AND abs(${t.ws}) = ${d.ws}))`),
    write(sql`
      DELETE FROM ${detailSearch} WHERE rowid IN (
        SELECT s.rowid FROM ${s} WHERE NOT EXISTS (
          SELECT 1 FROM ${d} WHERE ${d.task} = (s.rowid & ${TASK_ID_MASK}) AND s.rowid = ${toSearchRowid(d.ws, d.task)}))`),
  ];
}

export function clearDetailIndex(): Statement<void>[] {
  return [
    write(sql`INSERT INTO ${detailSearch} (detail_search) VALUES ('delete-all')`),
    write(sql`DELETE FROM ${detailTexts} WHERE true`),
  ];
}
