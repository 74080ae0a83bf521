import { type SQL, sql } from '../../kernel/sql/sql.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';

export interface TagFilter {
  /** The task must have at least one of these. */
  readonly any: readonly string[] | undefined;
  /** The task must have each of these. */
  readonly all: readonly string[] | undefined;
}

/** Case is ignored. */
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

/** SQLite folds only ASCII letters, so each other letter of the tag is replaced with its lower case first. */
function hasTag(t: TaskAlias, tag: string): SQL {
  const folded = listOtherCapitals(tag).reduce(
    (text, [capital, letter]) => sql`replace(${text}, ${capital}, ${letter})`,
    sql`lower(${t.tags})`,
  );
  return sql`instr(${folded}, ${JSON.stringify(tag.toLowerCase())}) > 0`;
}

/** Returns the capitals outside of ASCII whose lower case is in the tag. */
function listOtherCapitals(tag: string): (readonly [capital: string, letter: string])[] {
  const capitals = new Map([
    ...[...tag.toLowerCase()].map((letter) => [letter.toUpperCase(), letter] as const),
    ...[...tag].map((letter) => [letter, letter.toLowerCase()] as const),
  ]);
  return [...capitals].filter(
    ([capital, letter]) => capital > '\u007f' && capital !== letter && [...capital].length === 1,
  );
}

/** How often the tags of each task are rewritten to compare them. */
export function countReplacements({ any = [], all = [] }: TagFilter): number {
  return [...any, ...all].reduce((count, tag) => count + listOtherCapitals(tag).length, 0);
}
