import { readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  joinColumnNames,
  nameInsertColumns,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { labelCounts } from '../../schema/cell/labels.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { type NewSearchKeys, type NewValues, resolveValue } from '../model/new-values.queries.ts';
import { selectProjectTasks, type TaskExpression, type TaskSelection } from '../model/selection.queries.ts';

const k = aliasTable(labelCounts, 'k');
const t = aliasTable(tasks, 't');

const labelCountInsertTarget = nameInsertColumns(labelCounts, 'ws', 'project', 'label_key', 'name', 'tasks');
const labelCountsKey = joinColumnNames(labelCounts, 'ws', 'project', 'label_key');

interface LabelCountState {
  readonly tags?: SQL | undefined;
  readonly label_keys?: SQL | undefined;
  readonly archived?: SQL | undefined;
}

interface LabelCountSide {
  readonly selection: TaskSelection;
  readonly sign: 1 | -1;
  readonly state: TaskExpression<LabelCountState>;
}

const selectStoredState = () => ({});
const projectRow = sql`(1)`;
const projectAndWorkspaceRows = sql`(0), (1)`;

export function addLabelCounts(ws: number, selection: TaskSelection): Statement<void> {
  return changeLabelCounts(ws, [{ selection, sign: 1, state: selectStoredState }]);
}

/** Must run before the batch deletes the tasks, or moves them to another project. */
export function subtractLabelCounts(ws: number, selection: TaskSelection): Statement<void> {
  return changeLabelCounts(ws, [{ selection, sign: -1, state: selectStoredState }]);
}

/**
 * Must run before the tasks change.
 * @param created tasks that the batch has just inserted.
 */
export function updateLabelCounts(
  ws: number,
  selection: TaskSelection,
  { tags, archived }: NewValues,
  { label_keys }: NewSearchKeys,
  created?: TaskSelection,
): Statement<void> {
  const state: TaskExpression<LabelCountState> = (t) => ({
    ...(tags !== undefined && { tags: sql`${resolveValue(t, tags)}` }),
    ...(label_keys !== undefined && { label_keys: sql`${resolveValue(t, label_keys)}` }),
    ...(archived !== undefined && { archived: sql`${resolveValue(t, archived)}` }),
  });
  return changeLabelCounts(ws, [
    { selection, sign: -1, state: selectStoredState },
    { selection, sign: 1, state },
    ...(created ? [{ selection: created, sign: 1, state: selectStoredState } as const] : []),
  ]);
}

/** Counts a task once per tag, even if it has several spellings of the tag. A trigger deletes rows without tasks. */
function changeLabelCounts(
  ws: number,
  sides: readonly LabelCountSide[],
  rows = projectAndWorkspaceRows,
): Statement<void> {
  const states = sides.map(({ selection, sign, state }) => {
    const { access, where } = selection(t);
    const { tags = t.tags, label_keys = t.label_keys, archived = t.archived } = state(t);
    return sql`
      SELECT ${t.id} AS id, ${t.project} AS project, ${tags} AS tags, ${label_keys} AS keys, ${sql.raw(String(sign))} AS sign
      FROM ${t} ${access} WHERE ${where} AND ${t.ws} = ${ws} AND ${archived} = 0`;
  });
  return write(sql`
    INSERT INTO ${labelCountInsertTarget}
    SELECT ${ws}, iif(r.column1, l.project, 0), l.label_key, min(l.name), sum(l.sign)
    FROM (
      SELECT s.project, s.sign, j.value AS label_key, min(json_extract(s.tags, '$[' || j.key || ']')) AS name
      FROM (${sql.join(states, sql` UNION ALL `)}) s CROSS JOIN json_each(s.keys) j
      GROUP BY s.id, s.sign, j.value) l
    CROSS JOIN (VALUES ${rows}) r
    GROUP BY 2, 3 HAVING sum(l.sign) <> 0
    ON CONFLICT (${labelCountsKey}) DO UPDATE SET tasks = tasks + excluded.tasks`);
}

const countColumns = selectColumns({ label_key: k.label_key, tasks: k.tasks });

export function listLabelCounts({ ws, id }: { ws: number; id: number }) {
  return readRows(sql`
    SELECT ${countColumns} FROM ${k} WHERE ${k.ws} = ${ws} AND ${k.project} = ${id} ORDER BY ${k.label_key}`);
}

export function deleteLabelCounts({ ws, id }: { ws: number; id: number }): Statement<void> {
  return write(
    sql`DELETE FROM ${labelCounts} WHERE ${labelCounts.ws} = ${ws} AND ${labelCounts.project} = ${id}`,
  );
}

export function recountLabels(project: { ws: number; id: number }): Statement<void>[] {
  const stored = [{ selection: selectProjectTasks(project.id), sign: 1, state: selectStoredState }] as const;
  return [deleteLabelCounts(project), changeLabelCounts(project.ws, stored, projectRow)];
}

export function recountLabelTotals(ws: number): Statement<void>[] {
  return [
    deleteLabelCounts({ ws, id: 0 }),
    write(sql`
      INSERT INTO ${labelCountInsertTarget}
      SELECT ${k.ws}, 0, ${k.label_key}, min(${k.name}), sum(${k.tasks}) FROM ${k}
      WHERE ${k.ws} = ${ws} AND ${k.project} > 0 GROUP BY ${k.ws}, ${k.label_key}`),
  ];
}
