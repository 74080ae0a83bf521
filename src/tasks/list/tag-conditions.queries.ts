import { type SQL, sql } from '../../kernel/sql/sql.ts';
import { toLabelKey } from '../model/label-keys.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';

export interface TagFilter {
  readonly any: readonly string[] | undefined;
  readonly all: readonly string[] | undefined;
}

export function hasTags(t: TaskAlias, { any, all }: TagFilter): SQL {
  const conditions = [
    ...(any
      ? [
          sql`(${sql.join(
            any.map((tag) => hasTag(t, tag)),
            sql` OR `,
          )})`,
        ]
      : []),
    ...(all ?? []).map((tag) => hasTag(t, tag)),
  ];
  return sql.join(conditions, sql` AND `);
}

function hasTag(t: TaskAlias, tag: string): SQL {
  return sql`instr(${t.label_keys}, ${JSON.stringify(toLabelKey(tag))}) > 0`;
}
