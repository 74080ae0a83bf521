import type { Sources } from './imports.ts';

const deletion = [
  'src/projects/deletion/hide-project.queries.ts',
  'src/tasks/removal/remove-tasks.queries.ts',
  'src/workspaces/settings/delete-workspace.queries.ts',
];

/**
 * Every task change must go through `src/tasks/write/`, so that rows, counters and history stay consistent. Only
 * these files may write to the tables: the statements of the write path, deletions and repairs.
 */
const writers: Record<string, readonly string[]> = {
  tasks: [
    'src/tasks/model/insert.queries.ts',
    'src/tasks/model/change.queries.ts',
    'src/tasks/model/follower-lists.queries.ts',
    'src/tasks/model/subtasks.queries.ts',
    'src/tasks/model/relations.queries.ts',
    'src/tasks/model/relocation.queries.ts',
    'src/tasks/counters/repair.queries.ts',
    'src/tasks/custom-fields/remove-values.queries.ts',
    'src/search/index/search-repair.queries.ts',
    ...deletion,
  ],
  followers: [
    'src/tasks/model/insert.queries.ts',
    'src/tasks/counters/count-changes.queries.ts',
    'src/tasks/counters/unfollow.queries.ts',
    'src/tasks/model/relocation.queries.ts',
    ...deletion,
  ],
  events: [
    'src/events/log/record.queries.ts',
    'src/events/log/retention.queries.ts',
    'src/accounts/own/anonymize-events.queries.ts',
    ...deletion,
  ],
};

/** Matches writes in SQL, `nameInsertColumns(…)` and Drizzle's query builder. Captures the table or its variable. */
const WRITE_PATTERN =
  /\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(?:\$\{)?(\w+)|\bnameInsertColumns\(\s*(\w+)|\.(?:insert|update|delete)\((\w+)\)/g;

const TASK_STATEMENT_PATTERN = /\b(insertTasks|updateTasks|followNewTasks|updateTaskActivity)\b/g;

export function checkWritePath(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => {
    const report = ({ index }: RegExpExecArray, what: string) =>
      `${path}:${text.slice(0, index).split('\n').length}  ${what}; every task change must go through src/tasks/write/`;
    const writes = [...text.matchAll(WRITE_PATTERN)].flatMap((match) => {
      const table = match.slice(1).find((name) => name !== undefined) ?? '';
      return writers[table] && !writers[table].includes(path) ? [report(match, `writes ${table}`)] : [];
    });
    const uses = isWritePathFile(path) ? [] : [...text.matchAll(TASK_STATEMENT_PATTERN)];
    return [...writes, ...uses.map((match) => report(match, `uses ${match[1]}`))];
  });
}

function isWritePathFile(path: string): boolean {
  return path.startsWith('src/tasks/write/') || Object.values(writers).flat().includes(path);
}
