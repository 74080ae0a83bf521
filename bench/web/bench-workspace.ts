import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { bundle } from '../../scripts/bundle.ts';
import { getDatabaseFile, readDatabases, root } from '../../scripts/databases.ts';
import { findFreePort, unlimitedBudgets } from '../../scripts/local.ts';
import { openRuntime, readWorker, toWorkerModules } from '../../scripts/runtime.ts';
import { createSecret, hashSecret } from '../../src/kernel/secrets/tokens.ts';
import type { Statement } from '../../src/kernel/sql/database.ts';
import { addTaskCounts } from '../../src/tasks/counters/count-changes.queries.ts';
import { moveWorkspaceCutoffs } from '../../src/tasks/counters/cutoffs.queries.ts';
import { selectProjectTasks } from '../../src/tasks/model/selection.queries.ts';
import { taskStatuses } from '../../src/tasks/model/tasks.schema.ts';
import { createCpuMeter, placeDatabase, SESSION_SECRET } from '../runtime.ts';
import { loadSeed } from '../seed-cache.ts';
import type { World } from '../world.ts';
import type { BenchWorkspace } from './messages.ts';

const folder = join(root, '.wrangler', 'bench');
const DAY_MS = 86_400_000;

export interface RunningBenchWorkspace extends BenchWorkspace {
  /** Total CPU time of the worker and its databases; null if the system doesn't report it. */
  cpuMs(): number | null;
}

const LONG_COLUMN_DIVISOR = 10;
const CARDS_PER_SHORT_COLUMN = 10;
const NEW_PROJECT_ID_OFFSET = 1_000;

export async function openBenchWorkspace(size: number, fresh: boolean): Promise<RunningBenchWorkspace> {
  const { cell, world } = loadSeed(size, { folder: join(folder, 'seeds'), fresh, note: console.error });
  const state = join(folder, 'web');
  rmSync(state, { recursive: true, force: true });
  mkdirSync(state, { recursive: true });
  process.once('exit', () => rmSync(state, { recursive: true, force: true }));
  const getDatabaseId = (name: string) => readDatabases().find(({ binding }) => binding === name)?.id ?? name;
  placeDatabase(state, getDatabaseId('CELL_0'), cell);
  const long = world.projects + NEW_PROJECT_ID_OFFSET;
  const projects = { usual: world.projects, long, short: long + 1 };
  const cardsInLong = Math.floor(size / LONG_COLUMN_DIVISOR);
  changeDatabase(getDatabaseFile(state, getDatabaseId('CELL_0')), (db) => {
    const short = Array.from({ length: taskStatuses.length }, () => CARDS_PER_SHORT_COLUMN);
    addProject(db, world, projects.long, [cardsInLong, ...short.slice(1)]);
    addProject(db, world, projects.short, short);
    // Updates the cutoffs as the cron job does at midnight.
    runStatements(db, moveWorkspaceCutoffs([findWorkspace(db)], new Date().toISOString().slice(0, 10)));
  });
  const session = createSecret();
  changeDatabase(getDatabaseFile(state, getDatabaseId('DIRECTORY')), (db) =>
    createDirectory(db, world, session),
  );

  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const { options } = readWorker();
  const variables = { SESSION_SECRET, PUBLIC_URL: origin, ENVIRONMENT: 'local', EXPOSE_COST: 'true' };
  const modules = toWorkerModules(bundle(null, join(folder, 'build', 'web'), { minify: true }));
  await openRuntime({
    port,
    folder: state,
    // Prints only errors, because the worker logs a line per request.
    handleStructuredLogs: ({ level, message }) => level === 'error' && console.error(message),
    workers: [
      { ...options, ...modules, bindings: { ...options.bindings, ...unlimitedBudgets, ...variables } },
    ],
  });
  const [task = 0] = world.pools.read;
  const base = `${origin}/app/${world.workspaceId}`;
  const cookie = { name: 'ew_session', value: session };
  return { origin, base, cookie, projects, cardsInLong, task, cpuMs: createCpuMeter() };
}

function changeDatabase(path: string, write: (db: DatabaseSync) => void): void {
  mkdirSync(join(path, '..'), { recursive: true });
  const db = new DatabaseSync(path);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN');
  write(db);
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function addProject(db: DatabaseSync, { people }: World, id: number, cards: readonly number[]): void {
  const { no } = people.owner;
  db.prepare(
    "INSERT INTO projects (id, ws, name, status, owner, created_at) SELECT ?, no, 'Columns ' || ?, 'active', ?, 1 FROM workspaces",
  ).run(id, id, no);
  db.prepare('INSERT INTO project_members (project, member) VALUES (?, ?)').run(id, no);
  for (const [status, count] of cards.entries())
    db.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
      INSERT INTO tasks (ws, project, status, name, name_key, due, created_by, created_at, updated_at, followers)
      SELECT w.no, ?2, ?3, 'Card ' || i || ' of its column', 'card ' || i || ' of its column',
        date('2026-01-01', '+' || (i % 400) || ' days'), ?4, 1760000000000 + i, 1760000000000 + i, json_array(CAST(?4 AS INTEGER))
      FROM workspaces w CROSS JOIN n`,
    ).run(count, id, status, no);
  db.prepare(
    'INSERT INTO followers (member, project, task) SELECT ?, project, id FROM tasks WHERE project = ?',
  ).run(no, id);
  runStatements(db, addTaskCounts(findWorkspace(db), selectProjectTasks(id)));
}

function runStatements(db: DatabaseSync, statements: readonly Statement<unknown>[]): void {
  for (const { sql, params } of statements) db.prepare(sql).run(...(params as SQLInputValue[]));
}

function findWorkspace(db: DatabaseSync): number {
  return Number(db.prepare('SELECT no FROM workspaces').get()?.no);
}

function createDirectory(db: DatabaseSync, { workspaceId, people }: World, cookie: string): void {
  const migrations = join(root, 'migrations', 'directory');
  for (const name of readdirSync(migrations).sort()) db.exec(readFileSync(join(migrations, name), 'utf8'));
  const { userId } = people.owner;
  const now = Date.now();
  db.prepare(
    'INSERT INTO users (id, email, email_key, name, verified_at, created_at) VALUES (?1, ?2, ?2, ?3, 1, 1)',
  ).run(userId, 'person0@example.com', 'Olga Owner');
  db.prepare('INSERT INTO workspaces (id, cell, created_at) VALUES (?, 0, 1)').run(workspaceId);
  db.prepare('INSERT INTO memberships (user_id, workspace_id, joined_at) VALUES (?, ?, 1)').run(
    userId,
    workspaceId,
  );
  db.prepare(
    'INSERT INTO browser_sessions (id_hash, user_id, created_at, expires_at) VALUES (?, ?, ?, ?)',
  ).run(hashSecret(cookie), userId, now, now + DAY_MS);
}
