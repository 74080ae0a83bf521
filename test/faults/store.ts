import { checkData } from '../../src/integrity/check.ts';
import { CostMeter } from '../../src/kernel/cost.ts';
import { Database } from '../../src/kernel/database.ts';
import { withoutKeepers } from '../support/delete.ts';
import { cellOf, env } from '../support/env.ts';

/**
 * Tables that say what a request did. What is kept of idempotency keys is looked at by itself, and so is what is noted for
 * deletion.
 */
const cellTables = [
  ...[
    'tasks',
    'task_counts',
    'due_days',
    'followers',
    'member_days',
    'comments',
    'comment_counts',
    'activities',
    'notifications',
  ],
  ...[
    'notification_counts',
    'meetings',
    'meeting_tasks',
    'time_entries',
    'attachments',
    'uploads',
    'storage',
  ],
  ...['credentials', 'members', 'workspaces', 'projects', 'project_members'],
  ...['task_search_docsize', 'comment_search_docsize'],
];
const indexes = ['task_search', 'comment_search'];
const isOfIndex = (table: string) => table.endsWith('_docsize');
const directoryTables = [
  ...['users', 'workspaces', 'memberships', 'email_verifications', 'outbox'],
  ...['browser_sessions', 'oauth_clients', 'oauth_codes', 'oauth_requests'],
];

const all: [string, D1Database, string[]][] = [
  ['directory', env.DIRECTORY, directoryTables],
  ['cell 0', cellOf(0), cellTables],
  ['cell 1', cellOf(1), cellTables],
];

/** Empties every database, so that snapshots stay small. */
export async function forgetAll(): Promise<void> {
  for (const [, db, tables] of all) {
    const rows = tables.filter((table) => !isOfIndex(table)).map((table) => `DELETE FROM ${table}`);
    const emptied = indexes.map((index) => `INSERT INTO ${index} (${index}) VALUES ('delete-all')`);
    const others = db === env.DIRECTORY ? [] : [...inside, ...emptied];
    // Those that refer to others first.
    await withoutKeepers(
      db,
      [...others, ...rows].map((statement) => db.prepare(statement)),
    );
  }
}

const inside = ['meeting_tasks', 'meetings', 'time_entries', 'project_members', 'projects', 'credentials']
  .concat('team_members', 'teams', 'task_types', 'task_categories', 'idempotency_keys', 'members')
  .concat('objects_to_delete')
  .map((table) => `DELETE FROM ${table}`);

/** Every row of every table of the directory and the first cell, as text by table. */
export async function snapshot(): Promise<Map<string, string[]>> {
  const found = await Promise.all(
    all.slice(0, 2).map(async ([name, db, tables]) => {
      const results = await db.batch(tables.map((table) => db.prepare(`SELECT * FROM ${table}`)));
      return results.map(({ results: rows }, index): [string, string[]] => [
        `${name}.${tables[index]}`,
        rows.map((row) => JSON.stringify(row)),
      ]);
    }),
  );
  return new Map(found.flat());
}

/** Remembers every row of a database but the search indexes; answers what puts them back. */
export async function remember(db: D1Database): Promise<() => Promise<unknown>> {
  const tables = [
    ...cellTables.filter((table) => !isOfIndex(table)),
    ...['objects_to_delete', 'idempotency_keys'],
  ];
  const found = await db.batch<Record<string, unknown>>(
    tables.flatMap((table) => [
      db.prepare(`PRAGMA table_info(${table})`),
      db.prepare(`SELECT * FROM ${table}`),
    ]),
  );
  const statements = tables.flatMap((table, index) => {
    // Computed columns are not among them.
    const names = (found[index * 2]?.results ?? []).map(({ name }) => String(name));
    const values = names.map((name) => `json_extract(d.value, '$.${name}')`);
    const insert = `INSERT INTO ${table} (${names}) SELECT ${values} FROM json_each(?) d`;
    const rows = JSON.stringify(found[index * 2 + 1]?.results);
    return [db.prepare(`DELETE FROM ${table}`), db.prepare(insert).bind(rows)];
  });
  return () => withoutKeepers(db, statements);
}

/** How many rows of each table came and went: alike for two requests that did the same. */
export function difference(before: Map<string, string[]>, after: Map<string, string[]>) {
  const changed: Record<string, string> = {};
  for (const [table, rows] of after) {
    const [old, current] = [new Set(before.get(table)), new Set(rows)];
    const came = rows.filter((row) => !old.has(row)).length;
    const went = [...old].filter((row) => !current.has(row)).length;
    if (came > 0 || went > 0) changed[table] = `+${came} -${went}`;
  }
  return changed;
}

const open = (d1: D1Database) => new Database(d1, new CostMeter());

/** What `npm run check:data` would report; empty when all is right. */
export async function whatIsOff(numbers = [0, 1]): Promise<string[]> {
  const now = Date.now();
  const cells = new Map(numbers.map((no) => [no, open(cellOf(no))]));
  const findings = await checkData(open(env.DIRECTORY), cells, { now, hasCron: true });
  return findings.flatMap(({ database, invariant, offenders }) =>
    offenders.map((offender) => `${database}: ${invariant}: ${offender}`),
  );
}
