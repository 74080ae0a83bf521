import type { Sources } from './imports.ts';

/** A project or a workspace is deleted whole, with whatever could drift apart. */
const deletion = [
  'src/project-deletion/hide-project.queries.ts',
  'src/project-deletion/slices.queries.ts',
  'src/workspace-settings/delete-workspace.queries.ts',
];

/**
 * Whoever changes a task goes through `src/task-write/`, so that rows, counters and history cannot drift apart. So these
 * tables are written where the write path has its statements, and by repairs, which set what can be computed.
 */
const writers: Record<string, readonly string[]> = {
  tasks: [
    'src/task-model/change.queries.ts',
    'src/counters/repair.queries.ts',
    'src/search/search-repair.queries.ts',
    ...deletion,
  ],
  followers: ['src/task-model/change.queries.ts', 'src/counters/count-changes.queries.ts', ...deletion],
  events: [
    'src/event-log/record.queries.ts',
    'src/event-log/retention.queries.ts',
    'src/own-account/forget-events.queries.ts',
    ...deletion,
  ],
};

/** As SQL, with the name of the table or the table itself, and as Drizzle's builder. */
const WRITE =
  /\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(?:\$\{)?(\w+)|\.(?:insert|update|delete)\((\w+)\)/g;

/** The statements of the write path. */
const STATEMENT = /\b(insertTasks|updateTasks|followNewTasks|touchTask)\b/;

export function checkWritePath(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) =>
    text.split('\n').flatMap((line, index) => {
      const report = (what: string) =>
        `${path}:${index + 1}  ${what}; whoever changes a task goes through src/task-write/`;
      const tables = [...line.matchAll(WRITE)].map(([, name, table]) => name ?? table ?? '');
      const foreign = tables.filter((table) => writers[table] && !writers[table].includes(path));
      const statement = isOfWritePath(path) ? null : STATEMENT.exec(line);
      return [
        ...foreign.map((table) => report(`writes ${table}`)),
        ...(statement ? [report(`uses ${statement[1]}`)] : []),
      ];
    }),
  );
}

function isOfWritePath(path: string): boolean {
  return path.startsWith('src/task-write/') || Object.values(writers).flat().includes(path);
}
