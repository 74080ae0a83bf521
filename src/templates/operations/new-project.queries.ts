import { assertUnchanged, readNumber, type Statement } from '../../kernel/sql/database.ts';
import { sql } from '../../kernel/sql/sql.ts';
import { newestProjectId } from '../../projects/operations/project-changes.queries.ts';

export function findNextProjectId(): Statement<number> {
  return readNumber(
    sql`SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'projects'), 0) + 1 AS n`,
  );
}

export function assertNewestProject(id: number): Statement<void> {
  return assertUnchanged(sql`${newestProjectId} = ${id}`);
}
