import { createId } from '../../src/kernel/secrets/tokens.ts';
import { buildSearchTokens, toTaskTokenOwner } from '../../src/search/index/ngrams.ts';
import { addTaskCounts } from '../../src/tasks/counters/count-changes.queries.ts';
import { selectWorkspaceTasks } from '../../src/tasks/model/selection.queries.ts';
import { getCell } from './env.ts';
import { addMember, createProject, createWorkspace, type Person, type Workspace } from './world.ts';

const MEMBERS = 50;
const PROJECTS = 50;
const TASKS_PER_INSERT = 20_000;
/**
 * The counters contain the number of tasks due before this day, and the number of tasks due before the next Monday.
 * Deadlines cover the 400 days from 2026-01-01.
 */
const PAST_CUTOFF = '2026-11-20';
const WEEK_CUTOFF = '2026-11-23';
/**
 * The day to use as today. Some tasks are due before it and some after it, because both affect the cost of the
 * dashboard.
 */
export const BULK_TODAY = '2026-11-23';

/** Builds an SQL expression that derives a random-looking number from the row number `i`. */
const buildScatteredNumber = (factor: number) =>
  `((i * ${factor} + ${factor}) % 2147483647 * ${factor} % 2147483647 >> 5)`;

export interface BulkWorld extends Workspace {
  projectIds: number[];
  crowd: Person[];
}

/**
 * Creates a workspace of any size with SQL: 50 projects of different sizes, 50 members, and the followers, counters and
 * search index that the app would have written. Every 50th task contains the word "needle".
 */
export async function createBulkWorld(tasks: number): Promise<BulkWorld> {
  const world = await createWorkspace();
  const db = getCell(0);
  const crowd: Person[] = [];
  for (let made = 0; made < MEMBERS; made += 1) {
    const userId = createId('usr');
    crowd.push(
      await addMember(
        world,
        { userId, name: `Person ${made}`, email: `${userId}@example.com` },
        made === 0 ? 'client' : 'member',
      ),
    );
  }
  const projectIds: number[] = [];
  for (let made = 0; made < PROJECTS; made += 1) {
    const owner = crowd[(made + 7) % MEMBERS] as Person;
    // The first two people are members of five projects each.
    const members = made < 5 ? crowd.slice(0, 2).filter((person) => person !== owner) : [];
    projectIds.push((await createProject(world, { owner, members })).id);
  }
  const lists = [JSON.stringify(projectIds), JSON.stringify(crowd.map((person) => person.member))] as const;
  const first =
    ((await db.prepare('SELECT max(id) AS id FROM tasks').first<{ id: number | null }>())?.id ?? 0) + 1;
  const putIndexesBack = await dropIndexes(db);
  for (let from = 0; from < tasks; from += TASKS_PER_INSERT) {
    const upTo = Math.min(tasks, from + TASKS_PER_INSERT);
    await db
      .prepare(`
        WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?2)
        INSERT INTO tasks (id, ws, project, assignee, status, priority, archived, name, name_key, due, activity_count, first_event, created_by, created_at, updated_at, followers)
        SELECT *, iif(assignee IN (0, creator), json_array(creator),
          json_array(min(creator, assignee), max(creator, assignee)))
        FROM (SELECT i + CAST(?3 AS INTEGER), ?4,
          json_extract(?5, '$[' || min(${buildScatteredNumber(48_271)} % 50, ${buildScatteredNumber(16_807)} % 50) || ']'),
          iif(${buildScatteredNumber(69_621)} % 11 = 0, 0, json_extract(?6, '$[' || (${buildScatteredNumber(39_373)} % 50) || ']')) AS assignee,
          ${buildScatteredNumber(40_692)} % 5, ${buildScatteredNumber(40_014)} % 3, ${buildScatteredNumber(52_774)} % 10 = 3,
          'Task ' || i || iif(i % 50 = 0, ' needle', ' plain'), 'task ' || i || iif(i % 50 = 0, ' needle', ' plain'), date('2026-01-01', '+' || (i % 400) || ' days'), 1,
          coalesce((SELECT max(seq) FROM events WHERE ws = ?4), 0) + 1 + i - ?1,
          json_extract(?6, '$[' || (${buildScatteredNumber(30_269)} % 50) || ']') AS creator, 1, 1 FROM (SELECT CAST(i AS INTEGER) AS i FROM n))`)
      .bind(from, upTo, first, world.no, ...lists)
      .run();
    // A single statement for a million rows needs more memory than the local runtime has.
    await db.batch(
      [
        `INSERT INTO followers (member, project, task)
          SELECT f.value, t.project, t.id FROM tasks t CROSS JOIN json_each(t.followers) f WHERE t.id >= ?1 AND t.id < ?2`,
        `INSERT INTO events (ws, seq, type, project, task, actor, via, entries, occurred_at)
          SELECT ws, coalesce((SELECT max(e.seq) FROM events e WHERE e.ws = t.ws), 0) + row_number() OVER (ORDER BY id),
            'task.created', project, id, created_by, 'system', 1, 1 FROM tasks t WHERE id >= ?1 AND id < ?2`,
      ].map((query) => db.prepare(query).bind(first + from, first + upTo)),
    );
  }
  await putIndexesBack();
  await db
    .prepare('UPDATE workspaces SET past_cutoff = ?, week_cutoff = ? WHERE no = ?')
    .bind(PAST_CUTOFF, WEEK_CUTOFF, world.no)
    .run();
  for (const { sql, params } of addTaskCounts(world.no, selectWorkspaceTasks(world.no)))
    await db
      .prepare(sql)
      .bind(...params)
      .run();
  await indexTasks(world.no);
  return { ...world, projectIds, crowd };
}

/**
 * Creating the indexes at the end is faster than updating them for each row, because a million rows don't fit into the
 * cache.
 */
async function dropIndexes(db: D1Database): Promise<() => Promise<void>> {
  const { results } = await db
    .prepare(
      `SELECT name, sql FROM sqlite_master
      WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('tasks', 'followers', 'events')`,
    )
    .all<{ name: string; sql: string }>();
  for (const { name } of results) await db.prepare(`DROP INDEX ${name}`).run();
  return async () => {
    for (const { sql } of results) await db.prepare(sql).run();
  };
}

const TASKS_PER_INDEXING = 1_000;
const TOKENS_PER_INDEXING = 1_000_000;

export async function indexTasks(ws: number): Promise<void> {
  const db = getCell(0);
  for (let after = 0; ; ) {
    const { results } = await db
      .prepare(
        `SELECT id, project, name_key, description_key FROM tasks t WHERE ws = ? AND id > ?
        AND NOT EXISTS (SELECT 1 FROM task_search s WHERE s.rowid = ((t.ws * 2) << 32) | t.id)
        ORDER BY id LIMIT ?`,
      )
      .bind(ws, after, TASKS_PER_INDEXING)
      .all<{ id: number; project: number; name_key: string; description_key: string }>();
    let rows: [owner: number, id: number, tokens: string][] = [];
    let size = 0;
    for (const [index, { id, project, name_key, description_key }] of results.entries()) {
      const owner = toTaskTokenOwner(ws);
      const tokens = buildSearchTokens(owner, [name_key, description_key], project);
      rows.push([owner, id, tokens]);
      size += tokens.length;
      if (size < TOKENS_PER_INDEXING && index < results.length - 1) continue;
      await db
        .prepare(`INSERT INTO task_search (rowid, grams)
          SELECT (json_extract(value, '$[0]') << 32) | json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)`)
        .bind(JSON.stringify(rows))
        .run();
      [rows, size] = [[], 0];
    }
    const last = results.at(-1);
    if (!last || results.length < TASKS_PER_INDEXING) return;
    after = last.id;
  }
}
