import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { type ChecklistItem, checklists } from '../../schema/cell/checklists.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { detailSearch, detailTexts, waitingDetails } from '../../schema/cell/search.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { COMMON_TEXT_KEY } from './detail-search.queries.ts';
import { buildSearchTokens, countTokens, toTaskTokenOwner } from './ngrams.ts';
import { TOKENS_PER_BATCH_MAX, toSearchRowid } from './search-index.queries.ts';
import { toSearchKey } from './search-key.ts';

const cf = aliasTable(customFields, 'cf');
const d = aliasTable(detailTexts, 'd');
const k = aliasLeftJoinedTable(checklists, 'k');
const t = aliasTable(tasks, 't');
const w = aliasTable(waitingDetails, 'w');

const TASKS_PER_SLICE_MAX = 20;

const detailFields = {
  id: t.id,
  ws: withType<number>(sql`abs(${t.ws})`),
  project: withType<number>(sql`abs(${t.project})`),
  version: t.version,
  tags: t.tags,
  lines: k.lines,
  fields: withType<string>(sql`(
    SELECT json_group_object(CAST(${cf.id} AS TEXT), v.value) FROM json_each(${t.field_values}) v
    CROSS JOIN ${cf} NOT INDEXED ON ${cf.id} = CAST(substr(v.key, 4) AS INTEGER)
    WHERE ${cf.ws} = abs(${t.ws}) AND ${cf.type} = 'text')`),
};
const detailColumns = selectColumns(detailFields);
type TaskDetails = Row<typeof detailColumns>;

export function hasWaitingDetails(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${w})`;
}

export function listWaitingDetails(): Statement<TaskDetails[]> {
  return readRows(sql`
    SELECT ${detailColumns} FROM ${buildDetailsFromClause(sql`SELECT ${w.ws}, ${w.task} FROM ${w} LIMIT ${TASKS_PER_SLICE_MAX}`)}`);
}

function buildDetailsFromClause(found: SQL): SQL {
  return sql`(${found}) w CROSS JOIN ${t} NOT INDEXED ON ${t.id} = w.task AND abs(${t.ws}) = w.ws
    LEFT JOIN ${k} ON ${k.task} = ${t.id} AND ${k.ws} = w.ws`;
}

const indexedColumns = selectColumns({
  ...detailFields,
  texts: withType<string>(sql`(SELECT ${d.texts} FROM ${d} WHERE ${d.task} = ${t.id})`),
});
type IndexedDetails = Row<typeof indexedColumns>;

export function sampleIndexedDetails(count: number): Statement<IndexedDetails[]> {
  const step = sql`max(1, (SELECT max(${detailTexts.task}) FROM ${detailTexts}) / ${count})`;
  return readRows(sql`
    SELECT ${indexedColumns} FROM ${buildDetailsFromClause(sql`
      SELECT ${d.ws}, ${d.task} FROM ${d} WHERE ${d.task} % CAST(${step} AS INTEGER) = 0 AND NOT EXISTS (
        SELECT 1 FROM ${w} WHERE ${w.ws} = ${d.ws} AND ${w.task} = ${d.task})
      ORDER BY ${d.task} DESC LIMIT ${count}`)}`);
}

/** Ignores stored text of fields that the task no longer has. */
export function areDetailsCurrent(task: IndexedDetails): boolean {
  const stored = JSON.parse(task.texts) as Record<string, string>;
  return Object.entries(toDetailTexts(task) ?? {}).every(([key, text]) => stored[key] === text);
}

function toDetailTexts({ tags, lines, fields }: TaskDetails): Record<string, string> | null {
  const checklist = lines === null ? [] : (JSON.parse(lines) as ChecklistItem[]);
  const common = [...(JSON.parse(tags) as string[]), ...checklist.map(({ text }) => text)].join('\n');
  const values = Object.entries(JSON.parse(fields) as Record<string, string>);
  const texts = [...(common === '' ? [] : [[COMMON_TEXT_KEY, common] as const]), ...values];
  if (texts.length === 0) return null;
  return Object.fromEntries(texts.map(([key, text]) => [key, toSearchKey(text)]));
}

interface PlannedDetails extends Pick<TaskDetails, 'id' | 'ws' | 'version'> {
  texts: string | null;
  tokens: string;
}

/**
 * D1 accepts values of up to 2 MB. Text is sent as JSON inside JSON, in which escapes can take twelve bytes per
 * character.
 */
const CHARACTERS_PER_SLICE_MAX = 100_000;

export function planDetails(waiting: readonly TaskDetails[]): PlannedDetails[] {
  let [tokensLeft, charactersLeft] = [TOKENS_PER_BATCH_MAX, CHARACTERS_PER_SLICE_MAX];
  const planned: PlannedDetails[] = [];
  for (const task of waiting) {
    const texts = toDetailTexts(task);
    const tokens = texts
      ? buildSearchTokens(toTaskTokenOwner(task.ws), Object.values(texts), task.project)
      : '';
    const stored = texts && JSON.stringify(texts);
    tokensLeft -= countTokens(tokens);
    charactersLeft -= stored?.length ?? 0;
    if (planned.length > 0 && (tokensLeft < 0 || charactersLeft < 0)) break;
    planned.push({ id: task.id, ws: task.ws, version: task.version, texts: stored, tokens });
  }
  return planned;
}

/** Skips tasks that have changed since they were read, and tasks that another run has already indexed. */
export function indexDetails(planned: readonly PlannedDetails[]): Statement<void>[] {
  const withTexts = planned.filter(({ texts }) => texts !== null);
  const rowid = toSearchRowid(w.ws, w.task);
  return [
    write(
      sql`DELETE FROM ${detailSearch} WHERE rowid IN (SELECT ${rowid} FROM ${buildUnchangedDetailsFromClause(planned)})`,
    ),
    write(sql`
      INSERT INTO ${detailSearch} (rowid, grams) SELECT ${rowid}, d.value ->> 3 FROM ${buildUnchangedDetailsFromClause(withTexts, 'tokens')}`),
    write(sql`
      DELETE FROM ${detailTexts} WHERE ${detailTexts.task} IN (SELECT ${w.task} FROM ${buildUnchangedDetailsFromClause(planned)})`),
    write(sql`
      INSERT INTO ${nameInsertColumns(detailTexts, 'task', 'ws', 'texts')}
      SELECT ${w.task}, ${w.ws}, d.value ->> 3 FROM ${buildUnchangedDetailsFromClause(withTexts, 'texts')}`),
    write(sql`
      DELETE FROM ${waitingDetails} WHERE (${waitingDetails.ws}, ${waitingDetails.task}) IN (
        SELECT ${w.ws}, ${w.task} FROM ${buildUnchangedDetailsFromClause(planned)})`),
  ];
}

function buildUnchangedDetailsFromClause(planned: readonly PlannedDetails[], name?: 'texts' | 'tokens'): SQL {
  const rows = planned.map((each) => [each.ws, each.id, each.version, ...(name ? [each[name]] : [])]);
  return sql`
    json_each(${JSON.stringify(rows)}) d CROSS JOIN ${w} ON ${w.ws} = d.value ->> 0 AND ${w.task} = d.value ->> 1
    CROSS JOIN ${t} NOT INDEXED ON ${t.id} = ${w.task} AND ${t.version} = d.value ->> 2 AND abs(${t.ws}) = ${w.ws}`;
}
