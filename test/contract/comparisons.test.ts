import { beforeAll, describe, expect, it } from 'vitest';
import { confirmUpload, presignAndUpload } from '../files/attachments/presigning.ts';
import { takeSnapshot } from '../suites/faults/databases.ts';
import { api } from '../support/api.ts';
import { counterTables, findCounterDrift } from '../support/counters.ts';
import { env, getCell } from '../support/env.ts';
import { readAllContents } from '../support/stored-contents.ts';
import { listColumns, listTables } from '../support/tables.ts';
import { createTask, createWorld, type World } from '../support/world.ts';

/** Tables without counters. Every table must be either in this list or in `counterTables`. */
const rowTables = [
  ...[
    'attachments',
    'card_places',
    'checklists',
    'comments',
    'calendar_feeds',
    'credentials',
    'custom_fields',
    'detail_texts',
    'details_waiting',
    'events',
    'export_entries',
    'export_parts',
    'exports',
    'followers',
    'idempotency_keys',
    'imported_tasks',
    'imports',
    'intake_forms',
    'job_positions',
    'long_texts',
    'meeting_tasks',
  ],
  ...['meetings', 'members', 'notifications', 'objects_to_delete', 'project_members', 'project_statuses'],
  'other_assignees',
  ...[
    'projects',
    'public_links',
    'reactions',
    'recurrences',
    'reminders',
    'removals',
    'saved_filters',
    'search_waiting',
    'task_relations',
    'task_categories',
    'task_statuses',
    'task_types',
    'tasks',
    'team_members',
    'teams',
    'templates',
  ],
  ...['time_entries', 'uploads', 'workspaces'],
  ...['webhook_deliveries', 'webhooks'],
  ...['departures', 'forgotten_members', 'hour_changes', 'invitations'],
  // `label_counts` also stores each label's spelling, so `findCounterDrift` compares only its numbers.
  ...['labels', 'label_counts'],
  ...['bots', 'change_sets', 'change_set_items'],
  // These tables store past counts, which can't be counted again.
  ...['flow_days', 'project_deletions', 'workspace_deletions'],
  'audit_entries',
  ...['trash', 'outdated_comments'],
  'workspace_sessions',
];

let world: World;
const db = getCell(0);
const runSql = (statement: string) => db.prepare(statement).run();

beforeAll(async () => {
  world = await createWorld();
  const { owner, lead } = world.people;
  const task = await createTask(owner, world.projects.joined.id, {
    assigneeIds: [lead.userId, owner.userId],
    deadline: '2025-01-01',
  });
  await createTask(owner, world.projects.joined.id, { parentId: task.id, assigneeId: lead.userId });
  await api(owner.token).post(`/tasks/${task.id}/comments`, { content: 'A comment to count' });
  await confirmUpload(owner, task.id, { s3Key: await presignAndUpload(owner, task.id) });
});

describe('the counter comparison', () => {
  it('covers every table of a cell, either as counters or as rows', async () => {
    const tables = (await listTables(db)).filter((table) => !/_search_/.test(table));
    expect(tables).toEqual([...counterTables, ...rowTables].sort());
  });

  it.each(counterTables)('detects a change to any column of %s', async (table) => {
    const columns = (await listColumns(db, table)).filter(({ pk }) => pk === 0);
    expect(await findCounterDrift(world)).toEqual([]);
    for (const { name } of columns) {
      await runSql(`UPDATE ${table} SET ${name} = ${name} + 7`);
      expect(await findCounterDrift(world, table), name).not.toEqual([]);
      await runSql(`UPDATE ${table} SET ${name} = ${name} - 7`);
    }
    expect(columns.length).toBeGreaterThan(0);
  });
});

describe('the database comparison', () => {
  const readers: [string, () => Promise<unknown>][] = [
    ['contents', readAllContents],
    ['snapshot', takeSnapshot],
  ];

  it.each(readers)('detects an extra row in any table (%s)', async (_name, read) => {
    for (const database of [env.DIRECTORY, env.CELL_0, env.CELL_1]) {
      await database.prepare('CREATE TABLE unheard_of (x INTEGER)').run();
      const before = await read();
      await database.prepare('INSERT INTO unheard_of (x) VALUES (1)').run();
      expect(await read()).not.toEqual(before);
      await database.prepare('DROP TABLE unheard_of').run();
    }
  });

  it('detects an extra file', async () => {
    const before = await readAllContents();
    await env.FILES.put('0/nobody/file', 'text');
    expect(await readAllContents()).not.toEqual(before);
    await env.FILES.delete('0/nobody/file');
    expect(await readAllContents()).toEqual(before);
  });
});
