import { env, getCell } from '../../support/env.ts';
import type { World } from '../../support/world.ts';
import { addHostileData } from './hostile-world.ts';

/** Adds `2 * tasks` tasks with their related rows, and up to about `others` rows to each other table. */
export async function growWorkspace(world: World, tasks: number, others: number): Promise<void> {
  const { projects } = world;
  const size = { tasks, longTexts: 0, comments: Math.ceil(tasks / 4) };
  await addHostileData(world, size);
  await addHostileData({ ...world, projects: { joined: projects.other, other: projects.joined } }, size);
  const db = getCell(world.cell);
  const first = (await db.prepare('SELECT max(no) AS no FROM members').first<{ no: number }>())?.no ?? 0;
  const { owner, member } = world.people;
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)';
  const many = [
    `INSERT INTO members (no, ws, user_id, role, name, email, email_key, created_at)
      SELECT ?3 + i, ?1, 'usr_g' || (?3 + i), 'member', 'Grown ' || (?3 + i), 'g' || (?3 + i) || '@x.test', 'g' || (?3 + i) || '@x.test', 1 FROM n`,
    "INSERT INTO projects (ws, name, owner, created_at) SELECT ?1, 'Grown ' || (?3 + i), ?4, 1 FROM n",
    'INSERT OR IGNORE INTO project_members (project, member) SELECT id, ?4 FROM projects WHERE ws = ?1',
    'INSERT OR IGNORE INTO project_members (project, member) SELECT ?6, ?3 + i FROM n',
    'INSERT OR IGNORE INTO project_members (project, member) SELECT ?7, ?3 + i FROM n',
    "INSERT INTO teams (ws, name) SELECT ?1, 'Grown' FROM n",
    'INSERT OR IGNORE INTO team_members (team, member) SELECT id, ?4 FROM teams WHERE ws = ?1',
    "INSERT INTO task_categories (ws, key, value) SELECT ?1, 'g' || (?3 + i), 'Grown' FROM n WHERE i % 10 = 0",
    `INSERT INTO task_types (ws, category, key, value) SELECT ?1, (SELECT max(id) FROM task_categories WHERE ws = ?1), 'g' || (?3 + i), 'Grown'
      FROM n WHERE i % 10 = 0`,
    `INSERT INTO invitations (ws, token_hash, email, email_key, role, invited_by, created_at, expires_at, sent_at)
      SELECT ?1, hex(randomblob(16)), 'i' || (?3 + i) || '@x.test', 'i' || (?3 + i) || '@x.test', 'member', ?4, ?5, ?5 + 1e9, ?5 FROM n WHERE i % 10 = 0`,
    `INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at)
      SELECT hex(randomblob(16)), ?1, ?4, 'oauth', 'Grown', 'ew_oat_', 'tasks:read', ?5 FROM n`,
    `INSERT INTO calendar_feeds (member, ws, hash, nonce, created_at) SELECT ?3 + i, ?1, hex(randomblob(16)), 'x', ?5 FROM n`,
    `INSERT INTO attachments (ws, project, file_name, file_type, file_size, s3_key, object_key, etag, uploaded_by, created_at)
      SELECT ?1, ?6, 'x', 'text/plain', 1, hex(randomblob(16)), hex(randomblob(16)), 'x', ?4, ?5 FROM n`,
    `INSERT INTO imports (ws, project, member, via, attachment, file_name, object_key, etag, source, options, report, status,
      total, existing, created_at)
      SELECT ?1, ?6, ?4, 'session', 1, 'x', 'x', 'x', 'csv', '{}', '{}', 'completed', 1, 0, ?5 FROM n`,
    `INSERT OR IGNORE INTO imported_tasks (ws, project, source, external_id, task, import)
      SELECT ?1, ?6, 'csv', 'id:' || id, id, 0 FROM tasks WHERE ws = ?1`,
    `INSERT INTO uploads (s3_key, ws, member, project, file_name, file_type, file_size, reserved, expires_at)
      SELECT hex(randomblob(16)), ?1, ?4, ?6, 'x', 'text/plain', 1, 0, ?5 + 1e9 FROM n`,
    `INSERT OR IGNORE INTO card_places (task, ws, project, status, anchor, place, moved_at)
      SELECT id, ws, project, status, id, 0, ?5 FROM tasks WHERE ws = ?1 AND archived = 0 AND id % 2 = 0`,
    `INSERT INTO audit_entries (ws, type, actor, credential_kind, occurred_at) SELECT ?1, 'key.created', ?4, 'browser', ?5 - i FROM n`,
    `INSERT INTO workspace_sessions (ws, id_hash, member, expires_at, is_confirmed)
      SELECT ?1, hex(randomblob(16)), ?4, ?5 + 1e9, 1 FROM n`,
    `INSERT INTO change_sets (ws, member, client, app, status, items, created_at, changed_at, expires_at)
      SELECT ?1, ?4, 'Grown ' || (?3 + i), 'Grown', CASE WHEN i % 2 THEN 'open' ELSE 'proposed' END, 1, ?5, ?5, ?5 + 1e9 FROM n`,
    `INSERT OR IGNORE INTO change_set_items (set_id, no, ws, task, operation, version, changes, before)
      SELECT id, 1, ?1, (SELECT max(id) FROM tasks WHERE ws = ?1), 'edit', 1, '{}', '{}' FROM change_sets WHERE ws = ?1`,
    `INSERT OR IGNORE INTO trash (task, ws, project, deleted_by, deleted_at)
      SELECT t.id, ?1, t.project, ?4, ?5 FROM tasks t WHERE t.ws = ?1 AND t.archived = 1 AND t.id % 2 = 0 AND t.parent IS NULL
      AND NOT EXISTS (SELECT 1 FROM tasks s WHERE s.parent = t.id) AND t.id <> (SELECT max(id) FROM tasks WHERE ws = ?1)`,
    'DELETE FROM followers WHERE task IN (SELECT task FROM trash WHERE ws = ?1)',
    'UPDATE tasks SET ws = -ws, project = -project WHERE ws = ?1 AND id IN (SELECT task FROM trash WHERE ws = ?1)',
    `INSERT INTO bots (member, ws, accountable, icon, created_at) SELECT ?3 + i, ?1, ?4, 'bot', ?5 FROM n WHERE i % 10 = 0`,
    "INSERT INTO custom_fields (ws, name, type) SELECT ?1, 'Grown ' || (?3 + i), 'text' FROM n WHERE i <= 10",
    "INSERT INTO custom_fields (ws, name, type, deleted_at) SELECT ?1, 'Grown ' || (?3 + i), 'text', ?5 FROM n",
    `UPDATE projects SET field_ids = (
      SELECT json_group_array(id) FROM (
        SELECT id FROM custom_fields WHERE ws = ?1 AND deleted_at IS NULL AND name LIKE 'Grown %' ORDER BY id LIMIT 20))
      WHERE ws = ?1`,
    `UPDATE tasks SET field_values = (
      SELECT json_group_object('cf_' || f.value, 'Grown') FROM projects p, json_each(p.field_ids) f WHERE p.id = tasks.project)
      WHERE ws = ?1 AND field_values IS NULL`,
    `INSERT OR IGNORE INTO detail_texts (task, ws, texts) SELECT id, ?1, '{"0":"grown"}' FROM tasks WHERE ws = ?1`,
    `INSERT OR IGNORE INTO other_assignees (id, ws, project, assignee, first_assignee, status, priority, archived, due, parent)
      SELECT t.id, ?1, t.project, m.value, t.assignee, t.status, t.priority, t.archived, t.due, t.parent
      FROM tasks t, json_each(json_array(?4, ?8)) m WHERE t.ws = ?1 AND t.assignee <> 0 AND m.value <> t.assignee`,
    'INSERT OR IGNORE INTO other_assignee_counts (ws, member, project, is_subtask) SELECT ?1, ?3 + i, ?6, 0 FROM n',
    `INSERT OR IGNORE INTO recurrences (task, ws, rule, mode, first_day, slot, due_at, created_by)
      SELECT id, ?1, 'FREQ=WEEKLY', 'schedule', '2026-01-01', '2026-01-01', ?5 + 1e9, ?4 FROM tasks WHERE ws = ?1 AND archived = 0`,
    'UPDATE tasks SET repeats = 1 WHERE ws = ?1 AND archived = 0',
    `INSERT OR IGNORE INTO reminders (task, member, place, ws, minutes_before, remind_at)
      SELECT id, ?4, 0, ?1, 30, ?5 + 1e9 FROM tasks WHERE ws = ?1 AND archived = 0`,
    `INSERT OR IGNORE INTO checklists (task, ws, lines, next_line, version)
      SELECT id, ?1, '[{"id":1,"text":"Grown","isDone":false}]', 2, 1 FROM tasks WHERE ws = ?1`,
    `INSERT OR IGNORE INTO reactions (comment, reaction, ws, people)
      SELECT id, 'heart', ?1, '[' || CAST(?4 AS INTEGER) || ']' FROM comments WHERE ws = ?1`,
    'UPDATE tasks SET checklist_total = 1 WHERE ws = ?1 AND checklist_total = 0',
    `UPDATE tasks SET parent = id - 1 WHERE ws = ?1 AND id % 4 = 1 AND parent IS NULL
      AND EXISTS (SELECT 1 FROM tasks p WHERE p.id = tasks.id - 1 AND p.ws = ?1 AND p.project = tasks.project AND p.parent IS NULL)`,
    `INSERT OR IGNORE INTO task_relations (ws, type, source, target)
      SELECT ?1, 'blocks', id, id + 1 FROM tasks WHERE ws = ?1 AND id % 4 = 2
      AND EXISTS (SELECT 1 FROM tasks n WHERE n.id = tasks.id + 1 AND n.ws = ?1)`,
    `UPDATE tasks SET open_blockers = (
      SELECT count(*) FROM task_relations r JOIN tasks b ON b.id = r.source
      WHERE r.ws = ?1 AND r.target = tasks.id AND r.type = 'blocks' AND b.archived = 0 AND b.status <> 4)
      WHERE ws = ?1 AND id % 4 = 3`,
    "INSERT INTO labels (ws, label_key, color) SELECT ?1, 'grown ' || (?3 + i), '#dc2626' FROM n",
    "INSERT INTO label_counts (ws, project, label_key, name, tasks) SELECT ?1, ?6, 'grown ' || (?3 + i), 'Grown', 1 FROM n",
    "INSERT INTO label_counts (ws, project, label_key, name, tasks) SELECT ?1, 0, 'grown ' || (?3 + i), 'Grown', 1 FROM n",
    `INSERT INTO idempotency_keys (id, request, created_at) SELECT hex(randomblob(16)), 'x', ?5 FROM n`,
  ];
  const values = [
    world.no,
    others,
    first,
    owner.member,
    Date.now(),
    projects.joined.id,
    projects.other.id,
    member.member,
  ];
  for (const each of many) {
    const names = [...each.matchAll(/\?(\d)/g), ...(each.includes('FROM n') ? [['', '2']] : [])].map(
      ([, n]) => Number(n),
    );
    const bound = values.slice(0, Math.max(...names));
    await db
      .prepare(each.includes('FROM n') ? `${numbers} ${each}` : each)
      .bind(...bound)
      .run();
  }
  const directory = [
    `INSERT INTO users (id, email, email_key, name, created_at) SELECT 'usr_g' || (?1 + i), 'g' || (?1 + i) || '@x.test', 'g' || (?1 + i) || '@x.test', 'Grown', 1 FROM n`,
    `INSERT INTO memberships (user_id, workspace_id, joined_at) SELECT 'usr_g' || (?1 + i), ?3, 1 FROM n`,
    `INSERT INTO browser_sessions (id_hash, user_id, created_at, expires_at) SELECT hex(randomblob(16)), 'usr_g' || (?1 + i), 1, 9e12 FROM n`,
    `INSERT INTO sent_forms (id, created_at) SELECT hex(randomblob(16)), ${Date.now()} FROM n`,
    `INSERT INTO outbox (recipient, subject, text, html, created_at, sent_at) SELECT 'g' || (?1 + i) || '@x.test', 'x', 'x', 'x', ${Date.now()}, 1 FROM n`,
  ];
  for (const each of directory) {
    const bound = [first, others, world.id].slice(0, each.includes('?3') ? 3 : 2);
    await env.DIRECTORY.prepare(`${numbers} ${each}`)
      .bind(...bound)
      .run();
  }
}
