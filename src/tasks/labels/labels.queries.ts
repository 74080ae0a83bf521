import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRow,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  joinColumnNames,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { labelCounts, labels } from '../../schema/cell/labels.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectFollowedTasksOutsideMyProjects } from '../list/ranges.queries.ts';
import { toBuckets } from '../model/buckets.ts';
import { toLabelKey } from '../model/label-keys.ts';
import { seesEveryTask } from '../visibility/task-visibility.queries.ts';

const k = aliasTable(labelCounts, 'k');
const l = aliasLeftJoinedTable(labels, 'l');
const mp = aliasTable(projectMembers, 'mp');
const o = aliasTable(labels, 'o');
const t = aliasTable(tasks, 't');

/** Counting and grouping this many rows takes about 20 ms. */
export const LABEL_ROWS_MAX = 10_000;
const SUGGESTION_ROWS_MAX = 500;

const unarchived = { buckets: toBuckets({ isArchived: false }), onlyMine: true };

interface SelectedLabels {
  /** A list of keys in parentheses. */
  keys: SQL;
  /** The maximum number of tasks to read outside the caller's projects. */
  rowsMax: number;
}

/** Selects `label_key`, `name` and `tasks`. A tag can have several rows if the caller sees only some projects. */
function selectLabels(caller: Caller, projectId: number | undefined, only?: SelectedLabels): SQL {
  const isSelected = (key: SQL) => (only === undefined ? sql`` : sql`AND ${key} IN ${only.keys}`);
  const columns = sql`${k.label_key} AS label_key, ${k.name} AS name, ${k.tasks} AS tasks`;
  if (seesEveryTask(caller)) {
    return sql`SELECT ${columns} FROM ${k}
      WHERE ${k.ws} = ${caller.workspace} AND ${k.project} = ${projectId ?? 0} ${isSelected(k.label_key)}`;
  }
  const filter = { ...unarchived, projectIds: projectId === undefined ? undefined : [projectId] };
  const followed = selectFollowedTasksOutsideMyProjects(caller, filter, sql`${t.tags}, ${t.label_keys}`);
  // For a rare tag, the result's LIMIT may never be reached, so this LIMIT bounds the rows that are read.
  const read = only === undefined ? followed : sql`${followed} LIMIT ${only.rowsMax + 1}`;
  const isInProject = projectId === undefined ? sql`` : sql`AND ${mp.project} = ${projectId}`;
  return sql`
    SELECT ${columns} FROM ${mp} CROSS JOIN ${k} ON ${k.ws} = ${caller.workspace} AND ${k.project} = ${mp.project}
    WHERE ${mp.member} = ${caller.member} ${isInProject} ${isSelected(k.label_key)}
    UNION ALL
    SELECT j.value, json_extract(f.tags, '$[' || j.key || ']'), 1 FROM (${read}) f CROSS JOIN json_each(f.label_keys) j
    WHERE j.key = (SELECT min(i.key) FROM json_each(f.label_keys) i WHERE i.value = j.value) ${isSelected(sql`j.value`)}`;
}

function groupLabels(caller: Caller, projectId: number | undefined, rowsMax: number): SQL {
  const rows = selectLabels(caller, projectId);
  if (seesEveryTask(caller)) return rows;
  return sql`
    SELECT label_key, min(name) AS name, sum(tasks) AS tasks FROM (${rows} LIMIT ${rowsMax + 1}) GROUP BY label_key`;
}

const labelColumns = selectColumns({
  key: withType<string>(sql`v.label_key`),
  name: withType<string>(sql`v.name`),
  color: l.color,
  description: l.description,
  tasks: withType<number>(sql`v.tasks`),
});
export type LabelRow = Row<typeof labelColumns>;

function joinLabelProperties(caller: Caller): SQL {
  return sql`LEFT JOIN ${l} ON ${l.ws} = ${caller.workspace} AND ${l.label_key} = v.label_key`;
}

export function listLabels(
  caller: Caller,
  projectId: number | undefined,
  range: PageRange,
): Statement<LabelRow[]> {
  const key = sql`label_key`;
  const grouped = groupLabels(caller, projectId, LABEL_ROWS_MAX);
  return readRows(sql`
    SELECT ${labelColumns} FROM (
      SELECT * FROM (${grouped}) WHERE ${isAfter(range, [{ column: key }])} ORDER BY label_key ${buildLimit(range)}) v
    ${joinLabelProperties(caller)} ORDER BY v.label_key`);
}

const totalColumns = selectColumns({
  total: withType<number>(sql`count(DISTINCT label_key)`),
  scanned: withType<number>(sql`count(*)`),
});

/** `total` is too low if `scanned` exceeds `LABEL_ROWS_MAX`. */
export function countLabels(
  caller: Caller,
  projectId: number | undefined,
): Statement<Row<typeof totalColumns>> {
  return readRow(sql`
    SELECT ${totalColumns} FROM (${selectLabels(caller, projectId)} LIMIT ${LABEL_ROWS_MAX + 1})`);
}

export function findLabel(caller: Caller, name: string): Statement<LabelRow | null> {
  const only = { keys: sql`(${toLabelKey(name)})`, rowsMax: LABEL_ROWS_MAX };
  return readFirstRow(sql`
    SELECT ${labelColumns} FROM (${selectLabels(caller, undefined, only)} LIMIT ${LABEL_ROWS_MAX + 1}) v
    ${joinLabelProperties(caller)}`);
}

const nameColumn = selectColumns({ name: withType<string>(sql`name`) });

/** Lists tag names in alphabetical order, but may miss some if the caller doesn't see every project. */
export function listLabelNames(caller: Caller, limit: number): Statement<{ name: string }[]> {
  return readRows(sql`
    SELECT ${nameColumn} FROM (${groupLabels(caller, undefined, SUGGESTION_ROWS_MAX)}) ORDER BY label_key LIMIT ${limit}`);
}

const spellingColumns = selectColumns({
  key: withType<string>(sql`label_key`),
  name: withType<string>(sql`min(name)`),
});

/** Returns how tags in use are spelled. Ignores case, and may miss some if the caller can't see every project. */
export function listLabelSpellings(
  caller: Caller,
  names: readonly string[],
): Statement<Row<typeof spellingColumns>[]> {
  const only = { keys: buildInList(names.map(toLabelKey)), rowsMax: SUGGESTION_ROWS_MAX };
  return readRows(sql`
    SELECT ${spellingColumns} FROM (${selectLabels(caller, undefined, only)}) GROUP BY label_key ORDER BY label_key`);
}

const colorColumns = selectColumns({ key: o.label_key, color: withType<string>(o.color) });

export function listLabelColors({ workspace }: Caller): Statement<Row<typeof colorColumns>[]> {
  return readRows(sql`
    SELECT ${colorColumns} FROM ${o} WHERE ${o.ws} = ${workspace} AND ${o.color} IS NOT NULL ORDER BY ${o.label_key}`);
}

type LabelProperties = Pick<LabelRow, 'key' | 'color' | 'description'>;

export function assertLabelUnchanged({ workspace }: Caller, { key, color, description }: LabelProperties) {
  const isStored = sql`EXISTS (
    SELECT 1 FROM ${o} WHERE ${o.ws} = ${workspace} AND ${o.label_key} = ${key} AND ${o.color} IS ${color}
      AND ${o.description} IS ${description})`;
  if (color !== null || description !== null) return assertUnchanged(isStored);
  const isMissing = sql`NOT EXISTS (
    SELECT 1 FROM ${o} WHERE ${o.ws} = ${workspace} AND ${o.label_key} = ${key})`;
  return assertUnchanged(sql`(${isMissing} OR ${isStored})`);
}

export function updateLabelRow(
  { workspace }: Caller,
  { key, color, description }: LabelProperties,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(labels, 'ws', 'label_key', 'color', 'description')}
    VALUES (${workspace}, ${key}, ${color}, ${description})
    ON CONFLICT (${joinColumnNames(labels, 'ws', 'label_key')}) DO UPDATE SET
      color = excluded.color, description = excluded.description`);
}

/** The limit exists because each page that shows tags reads the colors of all of them. */
const LABELS_MAX = 500;

/** Must run after the statement that saves the tag. */
export function assertLabelsMax({ workspace }: Caller): Statement<void> {
  return rejectUnless(
    sql`(SELECT count(*) FROM ${o} WHERE ${o.ws} = ${workspace}
      AND (${o.color} IS NOT NULL OR ${o.description} IS NOT NULL)) <= ${LABELS_MAX}`,
    invalidRequestError(
      `Up to ${LABELS_MAX} tags can have a color or description. Remove the color and description of an unused tag.`,
    ),
  );
}
