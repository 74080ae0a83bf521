// Creates a workspace of any size by writing directly to a SQLite file. The rows are the same as those that requests
// would write.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { root } from '../scripts/databases.ts';
import { createToken, hashSecret } from '../src/kernel/secrets/tokens.ts';
import { buildSearchTokens, toTaskTokenOwner } from '../src/search/index/ngrams.ts';
import { addTaskCounts } from '../src/tasks/counters/count-changes.queries.ts';
import { selectWorkspaceTasks } from '../src/tasks/model/selection.queries.ts';
import type { Member, People, World } from './world.ts';
import { PAST_CUTOFF, WEEK_CUTOFF } from './world.ts';

const MEMBERS = 50;
const PROJECTS = 50;
const WORKSPACE = 1_001;
const FIRST_MEMBER = 20_001;
const FIRST_PROJECT = 300_001;
const CREATED_AT = 1_760_000_000_000;
/** Not dropped with the other indexes, because the statements that count tasks name this index (INDEXED BY). */
const INDEXES_FOR_COUNTING = ['tasks_by_workspace'];
const COMMENTS = 300_000;
const COMMENTS_PER_TASK = 12;
/** The gap between comments, which spreads them over 400 days. */
const COMMENT_GAP_MS = 115_200;
export const COMMON_WORD = 'invoice';
export const RARE_WORD = 'quartz';

const VERBS =
  'Draft Review Fix Plan Ship Test Measure Design Write Move Sort Check Clean Print Paint Build'.split(' ');
const NOUNS =
  'landing page,contract,budget,newsletter,poster,prototype,survey,release notes,sitemap,price list,logo,interview,workshop,banner,report,checklist,form,menu,search box,login'.split(
    ',',
  );

export function readMigrationFiles(): { name: string; sql: string }[] {
  const folder = join(root, 'migrations', 'cell');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8') }));
}

export const countAllTasks = () => addTaskCounts(WORKSPACE, selectWorkspaceTasks(WORKSPACE));

export function createWorldDatabase(path: string, size: number): World {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -1000000;
    PRAGMA foreign_keys = OFF`);
  for (const { name, sql } of readMigrationFiles()) {
    try {
      db.exec(sql);
    } catch (error) {
      throw new Error(`migrations/cell/${name} cannot be applied`, { cause: error });
    }
  }
  const people = addPeople(db);
  const apiKey = addApiKey(db, people.owner);
  db.exec('BEGIN');
  addTasks(db, size);
  db.exec('COMMIT');
  const pools = choosePools(db);
  db.close();
  return { size, workspaceId: 'ws_bench', projects: FIRST_PROJECT, people, apiKey, pools };
}

function addPeople(db: DatabaseSync): People {
  const insertMember = db.prepare(
    'INSERT INTO members (no, ws, user_id, role, name, email, email_key, cells, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  db.prepare(
    'INSERT INTO workspaces (no, id, name, plan, created_at, past_cutoff, week_cutoff) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(WORKSPACE, 'ws_bench', 'Bench', 'pro', CREATED_AT, PAST_CUTOFF, WEEK_CUTOFF);
  const add = (index: number, role: string, name: string): Member => {
    const no = FIRST_MEMBER + index;
    const userId = `usr_bench${String(index).padStart(3, '0')}`;
    const email = `person${index}@example.com`;
    insertMember.run(no, WORKSPACE, userId, role, name, email, email, '[0]', CREATED_AT);
    return { no, userId };
  };
  const owner = add(0, 'owner', 'Olga Owner');
  const crowd = Array.from({ length: MEMBERS }, (_, made) =>
    add(made + 1, chooseCrowdRole(made), `Person ${made}`),
  );

  const crowdMember = (index: number): Member => {
    const found = crowd[index];
    if (!found) throw new Error(`There is no person ${index}`);
    return found;
  };
  const [client, teamLead] = [crowdMember(0), crowdMember(1)];

  const insertProject = db.prepare(
    "INSERT INTO projects (id, ws, name, status, owner, created_at) VALUES (?, ?, ?, 'active', ?, ?)",
  );
  const insertProjectMember = db.prepare('INSERT INTO project_members (project, member) VALUES (?, ?)');
  for (let made = 0; made < PROJECTS; made += 1) {
    const id = FIRST_PROJECT + made;
    // The first two people own no projects, but are members of the first five projects.
    const lead = crowdMember(2 + (made % (MEMBERS - 2))).no;
    insertProject.run(id, WORKSPACE, `Project ${made}`, lead, CREATED_AT);
    for (const member of [lead, ...(made < 5 ? [client.no, teamLead.no] : [])])
      insertProjectMember.run(id, member);
  }
  db.exec(`INSERT INTO teams (id, ws, name) VALUES (1, ${WORKSPACE}, 'Team')`);
  const insertTeamMember = db.prepare('INSERT INTO team_members (team, member, role) VALUES (1, ?, ?)');
  insertTeamMember.run(teamLead.no, 'lead');
  for (const { no } of crowd.slice(20, 30)) insertTeamMember.run(no, 'member');
  db.exec(`
    INSERT INTO task_categories (id, ws, key, value, default_estimated_hours) VALUES (1, ${WORKSPACE}, 'design', 'Design', 2);
    INSERT INTO task_types (id, ws, category, key, value) VALUES (1, ${WORKSPACE}, 1, 'layout', 'Layout')`);
  return {
    owner,
    client,
    lead: teamLead,
    member: crowdMember(2),
    crowd: crowd.map(({ userId }) => userId),
  };
}

function chooseCrowdRole(made: number): string {
  return made === 0 ? 'client' : made === 1 ? 'lead' : 'member';
}

function addApiKey(db: DatabaseSync, owner: Member): string {
  const key = createToken('ew_live_', 0);
  db.prepare(
    "INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at) VALUES (?, ?, ?, 'api_key', 'Bench', ?, '', ?)",
  ).run(hashSecret(key), WORKSPACE, owner.no, key.slice(0, 12), CREATED_AT);
  return key;
}

const buildPseudorandomSql = (factor: number) =>
  `((i * ${factor} + ${factor}) % 2147483647 * ${factor} % 2147483647 >> 5)`;
const buildChoiceSql = (words: readonly string[], index: string) =>
  `json_extract('${JSON.stringify(words)}', '$[' || (${index} % ${words.length}) || ']')`;

/**
 * Returns n, where every nth task has comments. In total, there are 300,000 comments, or three per task if that is
 * less.
 */
function getCommentInterval(size: number): number {
  return Math.ceil((size * COMMENTS_PER_TASK) / Math.min(COMMENTS, size * 3));
}

function addTasks(db: DatabaseSync, size: number): void {
  const discussed = `i % ${getCommentInterval(size)} = 0`;
  // Builds indexes at the end, which is several times faster than updating them for each row.
  const indexes = db
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN ('tasks', 'followers', 'comments', 'events')",
    )
    .all()
    .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }));
  for (const { name } of indexes) if (!INDEXES_FOR_COUNTING.includes(name)) db.exec(`DROP INDEX ${name}`);
  const rareEvery = Math.floor(size / 20);
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${size}),
    named(i, name) AS (
      SELECT i, ${buildChoiceSql(VERBS, buildPseudorandomSql(48_611))} || ' ' || ${buildChoiceSql(NOUNS, buildPseudorandomSql(22_447))} || ' ' || i
        || iif(i % 50 = 0, ' ${COMMON_WORD}', '') || iif(i % ${rareEvery} = 7, ' ${RARE_WORD}', '') FROM n)
    INSERT INTO tasks (id, ws, project, assignee, status, priority, archived, name, name_key, due, completed_on, comment_count, activity_count, first_event, created_by, created_at, updated_at, followers)
    SELECT *, iif(assignee IN (0, creator), json_array(creator),
      json_array(min(creator, assignee), max(creator, assignee)))
    FROM (SELECT i, ${WORKSPACE}, ${FIRST_PROJECT} + min(${buildPseudorandomSql(48_271)} % ${PROJECTS}, ${buildPseudorandomSql(16_807)} % ${PROJECTS}),
      iif(${buildPseudorandomSql(69_621)} % 11 = 0, 0, ${FIRST_MEMBER} + 1 + ${buildPseudorandomSql(39_373)} % ${MEMBERS}) AS assignee,
      ${buildPseudorandomSql(40_692)} % 5, ${buildPseudorandomSql(40_014)} % 3, ${buildPseudorandomSql(52_774)} % 10 = 3, name, lower(name),
      date('2026-01-01', '+' || (i % 400) || ' days'),
      iif(${buildPseudorandomSql(40_692)} % 5 = 4, date('2026-01-01', '+' || (i * 7 % 320) || ' days'), NULL),
      iif(${discussed}, ${COMMENTS_PER_TASK}, 0), iif(${discussed}, ${COMMENTS_PER_TASK + 1}, 1), i,
      ${FIRST_MEMBER} + 1 + ${buildPseudorandomSql(30_269)} % ${MEMBERS} AS creator, ${CREATED_AT} + i * 1000, ${CREATED_AT} + i * 1000 FROM named)`);
  const all = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
  const dates = all(1, 32).map((date) => `day${date}`);
  db.function('tokens_of_comment', (ws, content) => buildSearchTokens(Number(ws), [String(content)]));
  db.function('tokens_of', (ws, project, name) =>
    buildSearchTokens(toTaskTokenOwner(Number(ws)), [String(name), ''], Number(project)),
  );
  db.exec(`
    INSERT INTO followers (member, project, task)
      SELECT f.value, t.project, t.id FROM tasks t CROSS JOIN json_each(t.followers) f ORDER BY 1, 2, 3;`);
  for (const { sql, params } of countAllTasks()) db.prepare(sql).run(...(params as SQLInputValue[]));
  db.exec(`
    INSERT INTO events (ws, seq, type, project, task, actor, via, changes, entries, occurred_at)
      SELECT ws, id, 'task.created', project, id, created_by, 'session',
        json_object('name', json_object('to', name), 'status', json_object('to', 'todo')), 1, created_at FROM tasks;
    INSERT INTO comments (ws, task, author, project, assignee, archived, day, created_at, content, content_key)
      SELECT ws, task, author, project, assignee, archived, strftime('%Y-%m-%d', at / 1000, 'unixepoch'), at, content, lower(content) FROM (
        SELECT t.ws, t.id AS task, t.created_by AS author, t.project, t.assignee, t.archived,
          ${CREATED_AT} + row_number() OVER (ORDER BY n.value, t.id) * ${COMMENT_GAP_MS} AS at,
          'Remark ' || n.value || ' on task ' || t.id || iif((t.id + n.value) % 50 = 0, ' ${COMMON_WORD}', '')
            || iif(n.value = 7 AND t.id % ${rareEvery} < ${getCommentInterval(size)}, ' ${RARE_WORD}', '') AS content
        FROM tasks t CROSS JOIN json_each('${JSON.stringify(all(1, COMMENTS_PER_TASK + 1))}') n WHERE t.comment_count > 0)
      ORDER BY at;
    INSERT INTO events (ws, seq, type, project, task, entity, actor, via, entries, occurred_at)
      SELECT ws, ${size} + row_number() OVER (ORDER BY id), 'comment.created', project, task, id, author, 'session', 1,
        ${CREATED_AT} + ${size} * 1000 + id FROM comments ORDER BY id;
    INSERT INTO task_search (rowid, grams)
      SELECT ((ws * 2) << 32) | id, tokens_of(ws, project, name_key) FROM tasks ORDER BY 1;
    INSERT INTO comment_counts (ws, member, project, month, total, ${dates})
      SELECT ws, m, p, month, count(*), ${all(1, 32).map((date) => `sum(date = ${date})`)} FROM (
        SELECT ws, iif(kind.value = 0, 0, assignee) AS m, iif(kind.value = 1, 0, project) AS p,
          iif(span.value = 0, '', substr(day, 1, 7)) AS month, iif(span.value = 0, 0, CAST(substr(day, 9) AS INTEGER)) AS date
        FROM comments CROSS JOIN json_each('[0, 1, 2]') kind CROSS JOIN json_each('[0, 1]') span
        WHERE archived = 0 AND (kind.value = 0 OR assignee > 0))
      GROUP BY 1, 2, 3, 4;
    INSERT INTO comment_search (rowid, grams) SELECT (ws << 32) | id, tokens_of_comment(ws, content_key) FROM comments ORDER BY 1;
    INSERT INTO notifications (user_id, ws, type, task, project, actor, created_at)
      SELECT 'usr_bench000', ws, 'task_assigned', id, project, created_by, created_at FROM tasks WHERE id <= 200;
    INSERT INTO notification_counts (user_id, total, unread) VALUES ('usr_bench000', 200, 200)`);
  for (const { name, sql } of indexes) if (!INDEXES_FOR_COUNTING.includes(name)) db.exec(sql);
}

/**
 * Chooses tasks for requests that read or write one task. Each kind of request has its own pool, so that requests don't
 * change each other's cost.
 */
function choosePools(db: DatabaseSync): World['pools'] {
  const ids = (condition: string, limit: number) =>
    db
      .prepare(`SELECT id FROM tasks WHERE archived = 0 AND ${condition} ORDER BY id DESC LIMIT ${limit}`)
      .all()
      .map(({ id }) => Number(id));
  const usual = 'comment_count = 0 AND assignee > 0 AND assignee <> created_by';
  return {
    read: ids('comment_count > 0', 32),
    change: ids(`status = 0 AND ${usual}`, 32),
    discuss: ids(`status = 1 AND ${usual}`, 32),
  };
}
