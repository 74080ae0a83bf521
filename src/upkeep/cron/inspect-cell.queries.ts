import { rowReaders, type Statement } from '../../kernel/sql/database.ts';
import { compileSql, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';

export interface CellState {
  readonly due: ReadonlySet<string>;
  /** The number of tasks and comments ever created in the cell. Ids are never reused. */
  readonly created: number;
}

const CREATED_COLUMN = 'created';

/**
 * `conditions` maps each job to the condition under which it is due. In an idle cell, this is the only statement per
 * tick.
 */
export function inspectCell(conditions: ReadonlyMap<string, SQL>): Statement<CellState> {
  const flags = [...conditions].map(([name, condition]) => [`"${name}"`, condition]);
  const created = sql`coalesce((SELECT max(${tasks.id}) FROM ${tasks}), 0)
    + coalesce((SELECT max(${comments.id}) FROM ${comments}), 0)`;
  return {
    ...compileSql(sql`SELECT ${selectColumns({ ...Object.fromEntries(flags), [CREATED_COLUMN]: created })}`),
    read: (found) => {
      const row = rowReaders.row<Record<string, number>>(found);
      return {
        due: new Set([...conditions.keys()].filter((name) => row[name] === 1)),
        created: row[CREATED_COLUMN] ?? 0,
      };
    },
  };
}
