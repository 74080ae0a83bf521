import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { buildInList, Database } from '../../../src/kernel/sql/database.ts';
import { indexComment } from '../../../src/search/index/comment-search.queries.ts';
import { toSearchKey } from '../../../src/search/index/search-key.ts';
import { recountProject, recountWorkspaceAssignees } from '../../../src/tasks/counters/repair.ts';
import { reactionNames } from '../../../src/tasks/reactions/reactions.schema.ts';
import { getCell } from '../../support/env.ts';
import { insertTaskTexts } from '../../support/insert-texts.ts';
import type { Person, World } from '../../support/world.ts';
import { hostileTexts } from './hostile-texts.ts';

/** How many rows of the most expensive data to create. All other counts are derived from these. */
export interface DataSize {
  tasks: number;
  /** The number of tasks with a description of the maximum length. */
  longTexts: number;
  comments: number;
}

const NAME_MAX = 500;
const DESCRIPTION_MAX = 100_000;
const COMMENT_MAX = 20_000;
/** Enough for more than one page of comments per task. */
const COMMENTS_PER_TASK = 60;

/**
 * Adds the most expensive tasks, comments, events, notifications, time entries and meetings that the API allows. They
 * could slow down requests in this workspace and in other workspaces of the cell.
 */
export async function addHostileData(world: World, size: DataSize): Promise<void> {
  const { owner, lead, member, client } = world.people;
  const project = world.projects.joined.id;
  const db = getCell(0);
  const kinds = Object.values(hostileTexts);
  const pickTextKind = (index: number) => kinds[index % kinds.length] as (length: number) => string;
  const place = { no: world.no, project, member: owner.member };
  await insertTaskTexts(place, [
    ...Array.from({ length: size.tasks }, (_, index) => ({
      name: index % 3 === 0 ? pickTextKind(index)(NAME_MAX) : `q ${index} task`,
      due: toDate(index),
      status: index % 5,
      archived: index % 4 === 3 ? 1 : 0,
    })),
    ...Array.from({ length: size.longTexts }, (_, index) => ({
      name: `long ${index}`,
      description: pickTextKind(index)(DESCRIPTION_MAX),
    })),
  ]);
  const runSql = (statement: string, ...params: (string | number)[]) =>
    db
      .prepare(statement)
      .bind(...params)
      .run();
  const numbers = 'json_each(?2) n';
  const people = [owner, lead, member, client];
  const toNumberedJson = (count: number) =>
    JSON.stringify(Array.from({ length: count }, (_, index) => index));
  await runSql(
    `INSERT OR IGNORE INTO followers (member, project, task)
      SELECT n.value, t.project, t.id FROM tasks t CROSS JOIN ${numbers} WHERE t.ws = ?1`,
    world.no,
    JSON.stringify(people.map((person) => person.member)),
  );
  await runSql(
    `UPDATE tasks SET followers = (SELECT json_group_array(n.value ORDER BY n.value) FROM ${numbers}) WHERE ws = ?1`,
    world.no,
    JSON.stringify(people.map((person) => person.member)),
  );
  await runSql(
    `INSERT OR IGNORE INTO project_members (project, member) SELECT ?1, n.value FROM ${numbers}`,
    project,
    JSON.stringify(people.map((person) => person.member)),
  );
  await addComments(world, size.comments);
  await runSql(
    `INSERT INTO events (ws, seq, type, task, changes, entries, actor, via, occurred_at)
      SELECT ?1, coalesce((SELECT max(seq) FROM events WHERE ws = ?1), 0) + n.key + 1, 'task.updated',
        (SELECT max(id) FROM tasks WHERE ws = ?1), json_object('name', json_object('from', ?3, 'to', ?3)), 1, ?4, 'session',
        1800000000000 FROM ${numbers}`,
    world.no,
    toNumberedJson(size.tasks),
    hostileTexts.pictographs?.(NAME_MAX) ?? '',
    owner.member,
  );
  for (const person of people) await addPersonalData(world, person, size.tasks);
  await runSql(
    `INSERT INTO meetings (ws, project, name, description, duration_minutes, recurrence, first_date, first_time, slot, date, time, created_by, created_at)
      SELECT ?1, ?3, 'Meeting', ?4, 60, 'FREQ=DAILY;BYMONTHDAY=31', '2026-01-31', '10:00', '2026-01-31', '2026-01-31', '10:00', ?5, 1 FROM ${numbers}`,
    world.no,
    toNumberedJson(Math.ceil(size.tasks / 10)),
    project,
    'd'.repeat(10_000),
    owner.member,
  );
  const database = new Database(db, new CostMeter());
  await recountProject(database, { id: project, ws: world.no });
  await recountWorkspaceAssignees(database, world.no);
}

async function addComments({ no, people, projects }: World, comments: number) {
  const db = getCell(0);
  const AT_ONCE = 20;
  for (let from = 0; from < comments; from += AT_ONCE) {
    const content = Object.values(hostileTexts)[(from / AT_ONCE) % 4]?.(COMMENT_MAX) ?? '';
    const { results } = await db
      .prepare(`INSERT INTO comments (ws, task, author, project, assignee, archived, day, content, content_key, created_at)
        SELECT t.ws, t.id, ?2, ?6, t.assignee, 0, '2026-11-20', ?3, ?7, n.value FROM json_each(?4) n
        CROSS JOIN (SELECT * FROM tasks WHERE ws = ?1 AND archived = 0 ORDER BY id DESC LIMIT 1 OFFSET ?5) t RETURNING id`)
      .bind(
        no,
        people.owner.member,
        content,
        JSON.stringify(Array.from({ length: AT_ONCE }, (_, at) => from + at)),
        Math.floor(from / COMMENTS_PER_TASK),
        projects.joined.id,
        toSearchKey(content),
      )
      .all<{ id: number }>();
    await db
      .prepare(`INSERT INTO reactions (comment, reaction, ws, people) SELECT c.value, r.value, ?1, ?4
        FROM json_each(?2) c CROSS JOIN json_each(?3) r`)
      .bind(
        no,
        JSON.stringify(results.map(({ id }) => id)),
        JSON.stringify(reactionNames),
        JSON.stringify(Object.values(people).map(({ member }) => member)),
      )
      .run();
    const indexed = results.map(({ id }) => indexComment(no, buildInList([id]), content));
    await db.batch(indexed.map((each) => db.prepare(each.sql).bind(...each.params)));
  }
}

async function addPersonalData({ no, projects }: World, person: Person, count: number) {
  const db = getCell(0);
  const task = '(SELECT max(id) FROM tasks WHERE ws = ?1)';
  const numbers = JSON.stringify(Array.from({ length: count }, (_, index) => index));
  await db.batch([
    db
      .prepare(`INSERT INTO notifications (user_id, ws, type, task, project, actor, created_at)
        SELECT ?3, ?1, 'task_assigned', ${task}, ?4, ?5, value FROM json_each(?2)`)
      .bind(no, numbers, person.userId, projects.joined.id, person.member),
    db
      .prepare(`INSERT INTO time_entries (ws, member, task, started_at, ended_at)
        SELECT ?1, ?3, ${task}, 1780000000000 + value * 1000, 1780000000000 + value * 1000 + 500 FROM json_each(?2)`)
      .bind(no, numbers, person.member),
  ]);
}

function toDate(index: number): string {
  return new Date(Date.UTC(2026, 0, 1 + (index % 400))).toISOString().slice(0, 10);
}
