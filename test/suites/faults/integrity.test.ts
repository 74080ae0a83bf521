// This file is long because one table lists statements that violate each invariant.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { checkCell } from '../../../src/upkeep/integrity/check.ts';
import { directoryInvariants } from '../../../src/upkeep/integrity/directory-invariants.queries.ts';
import { cellInvariants } from '../../../src/upkeep/integrity/invariants.queries.ts';
import { rebuildSearch } from '../../../src/upkeep/integrity/rebuild-search.ts';
import { repairCellCounters, repairSearch } from '../../../src/upkeep/integrity/repair.ts';
import { presignAndUpload } from '../../files/attachments/presigning.ts';
import { initUpload, openFilledSession } from '../../files/uploads/uploading.ts';
import { prepareImport } from '../../imports/prepare-import.ts';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { addFieldsToProject, createField } from '../../support/custom-fields.ts';
import { env, getCell } from '../../support/env.ts';
import { isLong, pickEveryNth } from '../../support/tier.ts';
import { createApiKey, createMeeting, createTask, createWorld, type World } from '../../support/world.ts';
import { createTemplate } from '../../templates/create-template.ts';
import { findInconsistencies, saveDatabase, takeSnapshot } from './databases.ts';

let world: World;
let restoreDatabase: () => Promise<unknown>;

beforeAll(async () => {
  world = await createWorld();
  await createWorld();
  const { lead, member, client } = world.people;
  const joined = world.projects.joined.id;
  const fields = {
    assigneeIds: [member.userId, client.userId],
    deadline: '2025-05-05',
    tags: ['Über', 'web'],
    description: "<p>It's ünïcode “text”</p>",
  };
  const { id: taskId } = await createTask(lead, joined, fields);
  const select = await createField(world, 'select');
  await addFieldsToProject(world, joined, [select]);
  await createTask(lead, joined, { customFields: { [`cf_${select}`]: 1 } });
  const second = await createTask(member, joined, { name: 'Zweite ÄNDERUNG', deadline: '2030-01-01' });
  for (const type of ['blocks', 'relates_to', 'duplicates'])
    await api(lead.token).post(`/tasks/${taskId}/relations`, { type, taskId: second.id });
  const archived = await createTask(client, joined, { name: 'archived' });
  await api(client.token).post(`/tasks/${archived.id}/archive`);
  await createTask(lead, joined, { parentId: taskId, assigneeId: member.userId });
  await api(lead.token).post(`/tasks/${taskId}/comments`, { content: 'A remark' });
  const { body: other } = await api(lead.token).post(`/tasks/${taskId}/comments`, { content: 'Überholt 🚀' });
  await api(lead.token).patch(`/tasks/${taskId}/comments/${other.id}`, {
    content: "Neu gefaßt, isn't it? 🚀",
  });
  await api(member.token).put(`/tasks/${taskId}/comments/${other.id}/reactions/heart`, {});
  const { body: gone } = await api(lead.token).post(`/tasks/${taskId}/comments`, {
    content: 'To be removed',
  });
  await api(lead.token).delete(`/tasks/${taskId}/comments/${gone.id}`);
  for (const mode of ['schedule', 'completion']) {
    const recurring = await createTask(member, joined, { deadline: '2030-01-01' });
    await api(member.token).put(`/tasks/${recurring.id}/recurrence`, { rule: 'FREQ=DAILY', mode });
    await api(member.token).put(`/tasks/${recurring.id}/reminders`, { items: [{ minutesBefore: 5 }] });
    await api(member.token).patch(`/tasks/${recurring.id}`, { status: 'completed' });
  }
  await createTemplate(lead, joined);
  await prepareImport(world, world.people.owner, joined);
  await api(world.people.owner.token).post('/exports', {});
  const deleted = await createTask(lead, joined, { assigneeId: member.userId });
  await api(client.token).post('/timer/start', { taskId: deleted.id });
  await api(lead.token).delete(`/tasks/${deleted.id}`);
  await createMeeting(lead, joined, { participantIds: [lead.userId, member.userId] });
  await api(member.token).post('/timer/start', { taskId });
  await api(member.token).post(`/chunked-upload/complete/${await openFilledSession(member, { taskId })}`);
  await initUpload(member, { taskId, fileSize: 700 });
  await presignAndUpload(member, taskId);
  await createApiKey(member);
  expect(await findInconsistencies()).toEqual([]);
  restoreDatabase = await saveDatabase(getCell(0));
});

beforeEach(async () => {
  await restoreDatabase();
  await repairSearch(openCell());
});

const runSql = (query: string, db = getCell(0)) => db.prepare(query).run();
const openCell = () => new Database(getCell(0), new CostMeter());

/** Statements that violate each invariant. */
const damageByInvariant: Record<string, string[]> = {
  'task_counts match the tasks': [
    'UPDATE task_counts SET bucket1 = bucket1 + 1 WHERE member > 0',
    'UPDATE task_counts SET past0 = past0 + 1',
    'UPDATE task_counts SET week3 = week3 - 1',
    'DELETE FROM task_counts',
    'INSERT INTO task_counts (ws, member, project, bucket3) VALUES (77, 0, 77, 2)',
  ],
  'subtask_counts match the tasks': [
    'UPDATE subtask_counts SET bucket1 = bucket1 + 1',
    'DELETE FROM subtask_counts',
    'INSERT INTO subtask_counts (ws, member, project, bucket3) VALUES (77, 0, 77, 2)',
  ],
  'label_counts match the tasks': [
    'UPDATE label_counts SET tasks = tasks + 1 WHERE project > 0',
    'DELETE FROM label_counts WHERE project > 0',
    "INSERT INTO label_counts (ws, project, label_key, name, tasks) VALUES (77, 77, 'x', 'X', 2)",
  ],
  "a workspace's label counts are the sums of its projects' counts": [
    'UPDATE label_counts SET tasks = tasks + 1 WHERE project = 0',
    'DELETE FROM label_counts WHERE project = 0',
  ],
  'every task has as many label_keys as tags': ["UPDATE tasks SET label_keys = '[]' WHERE tags <> '[]'"],
  'other_assignee_counts match the tasks': [
    'UPDATE other_assignee_counts SET bucket1 = bucket1 + 1',
    'DELETE FROM other_assignee_counts',
    'INSERT INTO other_assignee_counts (ws, member, project, is_subtask, bucket3) VALUES (77, 77, 77, 0, 2)',
  ],
  'the rows of other_assignees match the tasks': [
    'DELETE FROM other_assignees',
    'UPDATE other_assignees SET status = 1 - status',
    "UPDATE other_assignees SET due = '2020-01-01', first_assignee = 77",
    'UPDATE other_assignees SET project = 77',
  ],
  'other assignees follow the task, each is listed once, and the task also has a first assignee': [
    "UPDATE tasks SET assignee = 0 WHERE other_assignees <> '[]'",
    "UPDATE tasks SET other_assignees = json_insert(other_assignees, '$[#]', 77777) WHERE other_assignees <> '[]'",
    "UPDATE tasks SET other_assignees = json_insert(other_assignees, '$[#]', assignee) WHERE other_assignees <> '[]'",
  ],
  'task_counts of followers match the followed tasks': [
    'UPDATE task_counts SET followed2 = 5 WHERE member > 0 AND project > 0',
    'INSERT INTO task_counts (ws, member, project, followed0) VALUES (77, 77, 77, 1)',
  ],
  "a person's counters are the sums of their counters per project": [
    'UPDATE task_counts SET hours1 = hours1 + 25 WHERE member > 0 AND project = 0',
    'DELETE FROM task_counts WHERE member > 0 AND project = 0',
  ],
  "a person's daily counters are the sums of their daily counters per project": [
    'UPDATE member_halves SET due3 = due3 + 1 WHERE project = 0',
  ],
  'member_halves match the tasks': [
    'UPDATE member_halves SET due_hours16 = due_hours16 - 1 WHERE project > 0',
    "INSERT INTO member_halves (ws, member, project, half, done1) VALUES (77, 77, 77, '2026-01-01', 1)",
  ],
  'due_days match the tasks': [
    'DELETE FROM due_days',
    "INSERT INTO due_days (project, day, status4) VALUES (77, '2026-01-01', 1)",
  ],
  'comment_count and activity_count match the comments and history entries': [
    'UPDATE tasks SET comment_count = 9',
    'UPDATE tasks SET activity_count = activity_count - 1',
  ],
  'subtask_count and subtasks_completed match the tasks': [
    'UPDATE tasks SET subtask_count = subtask_count + 1',
    'UPDATE tasks SET subtasks_completed = 1 WHERE subtask_count = 0',
  ],
  "parents are in their subtasks' project, and no task is its own ancestor": [
    'UPDATE tasks SET parent = 999999 WHERE parent IS NOT NULL',
    'UPDATE tasks SET parent = id WHERE parent IS NOT NULL',
  ],
  'relations are between two tasks of their workspace, and no pair has the same relation twice': [
    'UPDATE task_relations SET target = 999999',
    "UPDATE task_relations SET source = target, target = source WHERE type = 'relates_to'",
    `INSERT INTO task_relations (ws, type, source, target)
      SELECT ws, type, target, source FROM task_relations WHERE type = 'duplicates'`,
  ],
  'no task blocks itself through other tasks': [
    `INSERT INTO task_relations (ws, type, source, target)
      SELECT ws, type, target, source FROM task_relations WHERE type = 'blocks'`,
  ],
  'the open_blockers of every task match its relations': [
    'UPDATE tasks SET open_blockers = open_blockers + 1',
  ],
  'every custom field value belongs to a field of its workspace, and matches its type': [
    `UPDATE tasks SET field_values = '{"cf_999999":1}' WHERE field_values IS NOT NULL`,
    `UPDATE tasks SET field_values = replace(field_values, ':1', ':"1"') WHERE field_values IS NOT NULL`,
  ],
  'projects use at most 20 custom fields, all from their workspace': [
    "UPDATE projects SET field_ids = '[999999]' WHERE field_ids IS NOT NULL",
    "UPDATE projects SET field_ids = '[]' WHERE field_ids IS NOT NULL",
  ],
  'only archived tasks are marked as archived with another task': [
    'UPDATE tasks SET archived_with = 1 WHERE archived = 0',
  ],
  'notification_counts match the notifications': [
    'UPDATE notification_counts SET unread = unread + 1',
    'DELETE FROM notification_counts',
    "INSERT INTO notification_counts (user_id, total) VALUES ('usr_nobody', 3)",
  ],
  "a workspace's used and reserved storage match its attachments and uploads": [
    'UPDATE storage SET used = used - 1',
    'UPDATE storage SET reserved = 0',
    'DELETE FROM storage',
  ],
  'every task is in the search index': [
    'DELETE FROM task_search WHERE rowid IN (SELECT rowid FROM task_search LIMIT 1)',
    "INSERT INTO task_search (task_search) VALUES ('delete-all')",
  ],
  'every row of the search index belongs to a task': [
    "INSERT INTO task_search (rowid, grams) VALUES (12345, 'stray')",
  ],
  'every row of search_waiting belongs to a task': [
    'INSERT INTO search_waiting (task, ws) VALUES (999999, 1)',
  ],
  'every long text belongs to a task, and tasks refer only to existing long texts': [
    'UPDATE tasks SET long_text = 77',
    "INSERT INTO long_texts (ws, id, description_key, description) VALUES (1, 77, '', '')",
  ],
  "a search for a task's text finds the task (sample)": [
    "UPDATE tasks SET name = 'Another name', name_key = 'another name'",
    "UPDATE tasks SET description = 'Another description'",
    "UPDATE tasks SET name_key = 'wrong'",
    "UPDATE tasks SET description_key = 'wrong'",
  ],
  'tasks belong to a project, and assignees to the workspace': [
    'UPDATE projects SET ws = (SELECT max(no) FROM workspaces)',
    'UPDATE tasks SET ws = -ws',
    'UPDATE tasks SET assignee = 77',
  ],
  'every checklist belongs to a task that stores its number of items': [
    'UPDATE tasks SET checklist_total = checklist_total + 1',
    'UPDATE checklists SET task = 999999',
    'DELETE FROM checklists',
  ],
  'every recurrence belongs to a task that stores the same mode': [
    'UPDATE tasks SET repeats = 2',
    'UPDATE recurrences SET task = task + 999999',
    'DELETE FROM recurrences WHERE rule IS NOT NULL',
  ],
  'every scheduled recurrence has a due time, and only the last task of a series has a rule': [
    'UPDATE recurrences SET due_at = NULL',
    'UPDATE recurrences SET previous_task = 77 WHERE previous_task IS NOT NULL',
  ],
  'every reminder belongs to a member of the workspace and to a task marked as having reminders': [
    'UPDATE tasks SET has_reminders = 0',
    'UPDATE reminders SET task = task + 999999',
    'UPDATE reminders SET member = 999999',
  ],
  'only tasks with a deadline have a due time': [
    "UPDATE tasks SET due_time = '09:00' WHERE due = '9999-99-99'",
  ],
  'assignees follow their tasks, and followed tasks exist': [
    'DELETE FROM followers WHERE member IN (SELECT assignee FROM tasks)',
    'INSERT INTO followers (member, project, task) VALUES (1, 2, 3)',
  ],
  'a task lists each follower once, in order': [
    "UPDATE tasks SET followers = '[]'",
    "UPDATE tasks SET followers = json_insert(followers, '$[#]', 77)",
    "UPDATE tasks SET followers = json_insert(followers, '$[#]', followers ->> 0)",
    "UPDATE tasks SET followers = replace(followers, ']', '.0]')",
    'UPDATE tasks SET followers = (SELECT json_group_array(value ORDER BY value DESC) FROM json_each(followers))',
    'DELETE FROM followers WHERE member <> (SELECT assignee FROM tasks t WHERE t.id = task)',
    'INSERT OR IGNORE INTO followers (member, project, task) SELECT m.no, t.project, t.id FROM tasks t JOIN members m ON m.ws = t.ws',
  ],
  'comments and events belong to a task of their workspace': [
    'UPDATE comments SET task = 77',
    'UPDATE events SET ws = 77',
    'DELETE FROM comments',
    'UPDATE tasks SET first_event = first_event + 1 WHERE first_event IS NOT NULL',
  ],
  'event sequence numbers have no gaps, and event times never decrease': [
    'DELETE FROM events WHERE seq = 2',
    'UPDATE events SET occurred_at = 5 WHERE seq = 3',
  ],
  'comments have the project, assignee and archived flag of their task': [
    'UPDATE comments SET project = 77',
    'UPDATE comments SET assignee = 0',
    'UPDATE comments SET archived = 1',
  ],
  'comment_counts of projects match the comments': [
    "UPDATE comment_counts SET total = total + 1 WHERE project > 0 AND month = ''",
    "UPDATE comment_counts SET day7 = day7 + 1 WHERE project > 0 AND month <> ''",
    'DELETE FROM comment_counts',
    "INSERT INTO comment_counts (ws, member, project, month, total) VALUES (77, 0, 77, '', 2)",
  ],
  "an assignee's comment_counts are the sums of their comment_counts per project": [
    'UPDATE comment_counts SET total = total + 1 WHERE project = 0',
    'UPDATE comment_counts SET day31 = day31 + 1 WHERE project = 0',
    'DELETE FROM comment_counts WHERE project = 0',
    "INSERT INTO comment_counts (ws, member, project, month, total) VALUES (77, 77, 0, '', 2)",
  ],
  'every reaction belongs to a comment and lists members of its workspace, each once': [
    "UPDATE reactions SET people = '[]'",
    "UPDATE reactions SET people = '[77777]'",
    "UPDATE reactions SET people = json_insert(people, '$[#]', people ->> 0)",
    "UPDATE reactions SET people = replace(people, ']', '.0]')",
    'UPDATE reactions SET ws = (SELECT max(w.no) FROM workspaces w WHERE w.no <> reactions.ws)',
  ],
  'every reply belongs to a comment on the same task that is not a reply itself, or to a deleted comment': [
    'UPDATE comments SET parent = id WHERE id = (SELECT max(id) FROM comments)',
    'UPDATE comments SET parent = (SELECT min(o.id) FROM comments o WHERE o.task <> comments.task)',
  ],
  'comment ids in a workspace are ordered by day and time': [
    "UPDATE comments SET day = '2020-01-01' WHERE id = (SELECT max(id) FROM comments)",
    'UPDATE comments SET created_at = 5 WHERE id = (SELECT max(id) FROM comments)',
  ],
  'every task with a checklist or tags is in detail_texts or in details_waiting': [
    'DELETE FROM detail_texts',
    'DELETE FROM detail_texts WHERE task = (SELECT min(task) FROM detail_texts)',
  ],
  'detail_texts and detail_search have the same tasks, and all of them exist': [
    "INSERT INTO detail_search (rowid, grams) VALUES (12345, 'stray')",
    "INSERT INTO detail_search (detail_search) VALUES ('delete-all')",
    "INSERT INTO detail_texts (task, ws, texts) VALUES (999999, 1, '{}')",
  ],
  'every row of details_waiting belongs to a task': [
    'INSERT INTO details_waiting (task, ws) VALUES (999999, 1)',
  ],
  "a search for a task's checklist, tags and fields finds the task (sample)": [
    "UPDATE detail_texts SET texts = '{}'",
  ],
  'every comment has its row in comment_search': [
    'DELETE FROM comment_search WHERE rowid IN (SELECT rowid FROM comment_search LIMIT 1)',
    "INSERT INTO comment_search (comment_search) VALUES ('delete-all')",
  ],
  'every row of comment_search belongs to a comment': [
    "INSERT INTO comment_search (rowid, grams) VALUES (12345, 'stray')",
  ],
  "a search for a comment's text finds the comment (sample)": [
    "UPDATE comments SET content = 'Another text', content_key = 'another text'",
    "UPDATE comments SET content_key = 'wrong'",
  ],
  'project owners are members of their projects': [
    'DELETE FROM project_members',
    'INSERT INTO project_members (project, member) SELECT p.id, (SELECT m.no FROM members m WHERE m.ws <> p.ws) FROM projects p',
  ],
  'every meeting has a participant, and its tasks are in its workspace': [
    'UPDATE meetings SET ws = (SELECT max(w.no) FROM workspaces w WHERE w.no <> meetings.ws)',
    'DELETE FROM meeting_tasks',
  ],
  'deleted tasks and everything that belongs to them are hidden': [
    'UPDATE trash SET project = project + 1',
    'UPDATE time_entries SET ws = -ws WHERE ws < 0',
  ],
  'templates belong to a member of their workspace, and apply to one of its projects or to all of them': [
    'UPDATE templates SET creator = (SELECT m.no FROM members m WHERE m.ws <> templates.ws)',
    'UPDATE templates SET project = (SELECT p.id FROM projects p WHERE p.ws <> templates.ws)',
  ],
  'every import belongs to a member of its workspace, and its task count matches the tasks that it created': [
    'UPDATE imports SET made = made + 1',
    'UPDATE imports SET member = (SELECT m.no FROM members m WHERE m.ws <> imports.ws)',
  ],
  'every export belongs to a member of its workspace, and its files and parts belong to an export': [
    'UPDATE exports SET member = (SELECT m.no FROM members m WHERE m.ws <> exports.ws)',
    'UPDATE exports SET id = id + 1000',
  ],
  'a task template has one root task, and all other tasks are its descendants': [
    "UPDATE templates SET content = json_set(content, '$.tasks[1].parent', NULL)",
    "UPDATE templates SET content = json_set(content, '$.tasks', json('[]'))",
  ],
  'parents and relations in a template refer only to its tasks': [
    "UPDATE templates SET content = json_set(content, '$.tasks[1].parent', 77)",
    'UPDATE templates SET content = json_set(content, \'$.relations\', json(\'[{"source": 1, "target": 77}]\'))',
  ],
  "every time entry has a task and doesn't end before it starts, and no member has several running timers": [
    'UPDATE time_entries SET task = 77',
    'UPDATE time_entries SET ended_at = started_at - 1',
  ],
  'every file has exactly one latest version and belongs to a task or project': [
    'UPDATE attachments SET latest = 0',
    'UPDATE attachments SET task = 77',
  ],
  'no attachment has an object that is scheduled for deletion': [
    'INSERT INTO objects_to_delete (object_key, delete_at) SELECT object_key, 1 FROM attachments',
  ],
  'confirmed uploads reserve no storage, and other uploads reserve their declared size or nothing': [
    'UPDATE uploads SET confirmed = 1',
    'UPDATE uploads SET reserved = 1',
    'UPDATE attachments SET s3_key = (SELECT s3_key FROM uploads LIMIT 1)',
  ],
  'credentials belong to a member of their workspace': [
    'UPDATE credentials SET ws = (SELECT w.no FROM workspaces w WHERE w.no <> ws)',
  ],
  'authors of tasks, comments and history entries are or were members': [
    'UPDATE tasks SET created_by = 77',
    'UPDATE comments SET author = 77',
    'UPDATE events SET actor = 77',
  ],
  'owners of projects and creators of meetings, files and time entries are or were members': [
    'UPDATE attachments SET uploaded_by = 77',
  ],
  'people who left have no valid key, calendar feed or running timer': [
    'UPDATE members SET ended_at = 1, is_settled = 1; UPDATE members SET is_settled = 1',
    "INSERT INTO calendar_feeds (member, ws, hash, nonce, created_at) SELECT no, ws, 'h' || no, 'n', 1 FROM members; UPDATE credentials SET revoked_at = 1; DELETE FROM time_entries; UPDATE members SET ended_at = 1; UPDATE members SET is_settled = 1",
  ],
  'every workspace with members has an owner': ["UPDATE members SET role = 'lead' WHERE role = 'owner'"],
  'open invitations are from people who may grant the role, and accepted invitations contain no email address':
    [
      "INSERT INTO invitations (ws, token_hash, email, email_key, role, invited_by, created_at, expires_at) SELECT ws, 't', 'e', 'e', 'admin', no, 1, 2 FROM members WHERE role = 'lead' LIMIT 1",
      "INSERT INTO invitations (ws, token_hash, email, email_key, role, invited_by, created_at, expires_at, accepted_by, ended_at) SELECT ws, 't', 'e', 'e', 'client', no, 1, 2, no, 1 FROM members WHERE role = 'owner' LIMIT 1",
    ],
  "only former members' tasks are queued for handover, and only deleted workspaces for removal": [
    'INSERT INTO departures (member, ws, heir, actor, created_at) SELECT no, ws, 0, no, 1 FROM members LIMIT 1',
    'INSERT INTO workspace_deletions (ws, created_at) SELECT ws, 1 FROM members LIMIT 1',
  ],
  'every notification has a recipient, except the newest if it was deleted': [
    "UPDATE notifications SET user_id = ''",
  ],
  'idempotency keys are deleted after a day': [
    "INSERT INTO idempotency_keys (id, request, created_at) VALUES ('k', 'r', 1)",
  ],
  'every browser session in the cell is also open in the directory': [
    "INSERT INTO workspace_sessions (ws, id_hash, member, expires_at, is_confirmed) SELECT ws, 'unknown', no, 9e15, 1 FROM members LIMIT 1",
  ],
  'members of the cell match the memberships in the directory': [
    "UPDATE members SET user_id = 'usr_' || no",
    "INSERT INTO members (ws, user_id, role, name, email, email_key, created_at) SELECT ws, 'usr_new', 'member', 'n', 'e', 'e', 1 FROM members LIMIT 1",
    'UPDATE members SET ended_at = 1 WHERE no = (SELECT min(no) FROM members)',
  ],
};

const needsManualRepair = (invariant: string) =>
  cellInvariants.find(({ name }) => name === invariant)?.repairedBy === undefined &&
  !invariant.endsWith('(sample)');

it('the damage cases cover every invariant of a cell', () => {
  for (const { name } of cellInvariants) expect(Object.keys(damageByInvariant)).toContain(name);
});

const cases = pickEveryNth(2, Object.entries(damageByInvariant)).flatMap(([invariant, ways]) =>
  (isLong ? ways : ways.slice(0, 1)).map((way) => [invariant, way] as const),
);

it.each(cases)('the integrity check detects a violation of "%s" after %s', async (invariant, way) => {
  await runSql(way);
  const off = await findInconsistencies([0]);
  expect(off.filter((each) => each.startsWith(`cell 0: ${invariant}`))).not.toEqual([]);
  if (needsManualRepair(invariant)) return;
  const mended = [...(await repairCellCounters(openCell())), ...(await repairSearch(openCell()))];
  expect(mended.length).toBeGreaterThan(0);
  expect(await findInconsistencies([0])).toEqual([]);
  // A second repair finds nothing to do.
  expect(await repairCellCounters(openCell())).toEqual([]);
});

it('the integrity check finds the same violations, no matter how many tasks it checks per range', async () => {
  const ways = Object.entries(damageByInvariant).filter(([name]) =>
    cellInvariants.some((each) => each.name === name && each.over),
  );
  for (const [, [way = '']] of pickEveryNth(3, ways)) {
    await restoreDatabase();
    await runSql(way);
    const runCheck = (tasksPerRange: number) =>
      checkCell(0, openCell(), { now: Date.now(), hasCron: true, tasksPerRange });
    const [whole, cut] = [await runCheck(1_000_000), await runCheck(1)];
    const sortOffenders = (findings: typeof whole) => findings.map(({ offenders }) => [...offenders].sort());
    expect(sortOffenders(cut), way).toEqual(sortOffenders(whole));
  }
});

it('the integrity check changes nothing', async () => {
  await runSql('DELETE FROM task_counts');
  const before = await takeSnapshot();
  await findInconsistencies();
  expect(await takeSnapshot()).toEqual(before);
});

it('the nightly cron job repairs damaged counters', async () => {
  await runSql('UPDATE task_counts SET bucket1 = 7, past0 = 3, week0 = 5');
  await runSql('DELETE FROM due_days');
  await runSql('UPDATE task_counts SET followed0 = 5');
  await runSql('UPDATE member_halves SET due1 = 9, done_hours16 = 7');
  await runSql('UPDATE tasks SET comment_count = 9');
  await runSql('UPDATE comment_counts SET total = total + 4, day5 = 8');
  await runSql('UPDATE comments SET assignee = 0');
  await runSql("UPDATE tasks SET followers = '[]'");
  await runSql('UPDATE tasks SET subtask_count = 9, subtasks_completed = 5');
  await runSql('DELETE FROM subtask_counts');
  await runSql('UPDATE label_counts SET tasks = tasks + 2');
  await runSql('UPDATE tasks SET open_blockers = 3');
  await runSql('UPDATE other_assignee_counts SET bucket1 = 9');
  await runSql('UPDATE other_assignees SET status = 1 - status');
  expect((await findInconsistencies([0])).length).toBeGreaterThan(6);
  await runCron('17 3 * * *');
  expect(await findInconsistencies([0])).toEqual([]);
});

it('the integrity check detects inconsistencies in the directory', async () => {
  await runSql(
    "INSERT INTO memberships (user_id, workspace_id, joined_at) VALUES ('usr_x', 'ws_x', 1)",
    env.DIRECTORY,
  );
  await runSql("INSERT INTO workspaces (id, cell, created_at) VALUES ('ws_y', 0, 1)", env.DIRECTORY);
  await runSql('UPDATE cell_sizes SET workspaces = workspaces + 1 WHERE cell = 0', env.DIRECTORY);
  await runSql(
    "INSERT INTO users (id, email, email_key, name, created_at, deleted_at) VALUES ('usr_gone', 'a', 'a', 'A', 1, 1)",
    env.DIRECTORY,
  );
  await runSql(
    "INSERT INTO account_links (token_hash, user_id, purpose, created_at, expires_at) VALUES ('t', 'usr_gone', 'password', 1, 2)",
    env.DIRECTORY,
  );
  const off = await findInconsistencies();
  for (const { name } of directoryInvariants) {
    expect(off.filter((each) => each.startsWith(`directory: ${name}`))).toHaveLength(1);
  }
  await runSql("DELETE FROM users WHERE id = 'usr_gone'", env.DIRECTORY);
  await runSql('DELETE FROM account_links', env.DIRECTORY);
  await runSql("DELETE FROM memberships WHERE workspace_id = 'ws_x'", env.DIRECTORY);
  await runSql("DELETE FROM workspaces WHERE id = 'ws_y'", env.DIRECTORY);
  await runSql('UPDATE cell_sizes SET workspaces = workspaces - 1 WHERE cell = 0', env.DIRECTORY);
});

it('the integrity check ignores expired and unconfirmed copies of browser sessions', async () => {
  const insertCopy = (expiresAt: string, isConfirmed: 0 | 1) =>
    runSql(
      `INSERT INTO workspace_sessions (ws, id_hash, member, expires_at, is_confirmed) SELECT ws, 'unknown ${isConfirmed}', no, ${expiresAt}, ${isConfirmed} FROM members LIMIT 1`,
    );
  await insertCopy('1', 1);
  await insertCopy('9e15', 0);
  expect(await findInconsistencies()).toEqual([]);
});

it('the integrity check ignores a workspace that is still being created', async () => {
  const insertMembership = (since: number) =>
    runSql(
      `INSERT OR REPLACE INTO memberships (user_id, workspace_id, joined_at) VALUES ('${world.people.member.userId}', 'ws_new', ${since})`,
      env.DIRECTORY,
    );
  await runSql("INSERT INTO workspaces (id, cell, created_at) VALUES ('ws_new', 1, 1)", env.DIRECTORY);
  await insertMembership(Date.now());
  expect(await findInconsistencies()).toEqual([]);
  await insertMembership(1);
  expect(await findInconsistencies()).toHaveLength(1);
  for (const [table, column] of [
    ['memberships', 'workspace_id'],
    ['workspaces', 'id'],
  ]) {
    await runSql(`DELETE FROM ${table} WHERE ${column} = 'ws_new'`, env.DIRECTORY);
  }
});

it('rebuilding an empty search index makes everything searchable again', async () => {
  const me = api(world.people.owner.token);
  const findIds = async (search: string, more = '') =>
    (await me.get(`/tasks?scope=all&search=${encodeURIComponent(search)}${more}`)).body.data.map(
      ({ id }: { id: number }) => id,
    );
  const asked = [['änderung'], ['“TEXT”'], ["it's"], ['ü'], ['archived', '&isArchived=true']] as const;
  const before = await Promise.all(asked.map(([search, more]) => findIds(search, more)));
  expect(before.every((ids) => ids.length > 0)).toBe(true);
  for (const fromScratch of [true, false]) {
    await runSql("INSERT INTO task_search (task_search) VALUES ('delete-all')");
    expect(await findIds('änderung')).toEqual([]);
    await rebuildSearch(openCell(), { fromScratch });
    expect(await Promise.all(asked.map(([search, more]) => findIds(search, more)))).toEqual(before);
  }
});

it('repairing counters during concurrent requests reverts none of their changes', async () => {
  const { member } = world.people;
  const writing = Array.from({ length: 12 }, async (_, index) => {
    const task = await createTask(member, world.projects.joined.id, { name: `meanwhile ${index}` });
    await api(member.token).patch(`/tasks/${task.id}`, {
      name: `changed meanwhile ${index}`,
      status: 'completed',
    });
  });
  const mending = [1, 2, 3].map(async () => [
    await repairCellCounters(openCell()),
    await repairSearch(openCell()),
  ]);
  await Promise.all([...writing, ...mending]);
  expect(await findInconsistencies()).toEqual([]);
  const { body } = await api(member.token).get('/tasks?search=changed%20meanwhile');
  expect(body.meta.total).toBe(12);
});
