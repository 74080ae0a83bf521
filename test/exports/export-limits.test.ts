import { beforeAll, describe, expect, it } from 'vitest';
import { continueExports } from '../../src/exports/run/run-exports.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { runCron } from '../support/cron.ts';
import { getCell } from '../support/env.ts';
import { openScope } from '../support/scope.ts';
import { createWorld, type World } from '../support/world.ts';
import { countRows } from './count-rows.ts';
import { watchCalls } from './dying-run.ts';
import { deleteExports, insertExport, readExport } from './prepare-export.ts';
import { downloadArchive } from './read-archive.ts';

const MINUTE = '* * * * *';
const TASKS = 10_000;
/** A slice may send this many statements, like a request. */
const STATEMENTS_PER_SLICE_MAX = 50;
const db = getCell(0);
let world: World;

/** The tasks are in every bucket, and those of another workspace have ids in between. */
beforeAll(async () => {
  await deleteExports(0);
  world = await createWorld({ cell: 0 });
  const other = await createWorld({ cell: 0 });
  const { id: project } = world.projects.joined;
  const { member } = world.people.owner;
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${TASKS * 2 - 1})`;
  await db.batch([
    db
      .prepare(
        `${numbers} INSERT INTO tasks (ws, project, status, priority, archived, name, description, created_by, created_at, updated_at)
        SELECT iif(i % 2, ?1, ?2), iif(i % 2, ?3, ?4), i % 5, i % 3, i % 7 = 0, 'Task ' || i, hex(zeroblob(200)), iif(i % 2, ?5, ?6), 1, 1 FROM n`,
      )
      .bind(world.no, other.no, project, other.projects.joined.id, member, other.people.owner.member),
    db
      .prepare(
        `INSERT INTO comments (ws, task, author, project, assignee, archived, day, created_at, content)
        SELECT ws, id, ?2, project, 0, 0, '2026-03-02', 1, 'Comment' FROM tasks WHERE ws = ?1`,
      )
      .bind(world.no, member),
    db
      .prepare(
        `INSERT INTO time_entries (ws, member, task, started_at, ended_at)
        SELECT ws, ?2, id, id, id + 60000 FROM tasks WHERE ws = ?1`,
      )
      .bind(world.no, member),
    db
      .prepare(
        `INSERT INTO events (ws, seq, type, project, task, actor, via, changes, occurred_at)
        SELECT ws, coalesce((SELECT max(seq) FROM events WHERE ws = ?1), 0) + row_number() OVER (ORDER BY id), 'task.created', project, id, ?2, 'session', '{}', 1
        FROM tasks WHERE ws = ?1`,
      )
      .bind(world.no, member),
  ]);
});

describe('an export of 10,000 tasks', () => {
  it('reads each row a few times, and sends at most 50 statements per slice', async () => {
    const id = await insertExport(world, world.people.owner);
    const scope = openScope();
    let statements = 0;
    const slices: number[] = [];
    const watched = watchCalls(scope, () => undefined);
    const watchStatements = (no: number) => {
      const cell = watched.cell(no);
      const batch = async (sent: readonly { sql: string }[]) => {
        statements += sent.length;
        if (sent.some(({ sql }) => /^\s*UPDATE exports SET position/.test(sql))) slices.push(statements);
        if (slices.at(-1) === statements) statements = 0;
        return cell.batch(sent as never);
      };
      return { batch } as unknown as typeof cell;
    };
    while (await continueExports.run({ ...watched, cell: watchStatements }, 0, unlimitedAllowance));
    expect(slices.length).toBeGreaterThan(3);
    expect(Math.max(...slices)).toBeLessThanOrEqual(STATEMENTS_PER_SLICE_MAX);
    const counted = await countRows(world, world.people.owner.member);
    const rows = Object.values(counted).reduce((sum, count) => sum + count, 0);
    expect(rows).toBeGreaterThan(4 * TASKS);
    expect(scope.meter.rowsRead / rows).toBeLessThan(8);
    const archive = await downloadArchive((await readExport(world.people.owner, id)).downloadUrl);
    expect(archive.manifest.records).toEqual(counted);
    const ids = archive.lines('tasks').map((task) => task.id);
    expect(ids).toEqual([...new Set(ids)].toSorted((one, other) => one - other));
  });

  it('completes within the budget of cron runs', async () => {
    const id = await insertExport(world, world.people.owner);
    for (let tick = 0; (await readExport(world.people.owner, id)).status === 'running'; tick += 1) {
      expect(tick).toBeLessThan(10);
      await runCron(MINUTE);
    }
    expect(await readExport(world.people.owner, id)).toMatchObject({ status: 'completed', problem: null });
  });
});
