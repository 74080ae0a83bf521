import { createHash } from 'node:crypto';
import { openDatabases } from '../../scripts/operate/databases.ts';
import type { Caller } from './caller.ts';

const FILES_FETCHED_MAX = 150;
const statuses = ['todo', 'in_progress', 'internal_review', 'client_review', 'completed'];

export interface ComparedRecords {
  lost: number;
  doubled: number;
  compared: number;
  uncertain: number;
  uncertainDone: number;
  readonly problems: readonly string[];
}

export interface ComparedFiles {
  readonly fetched: number;
  readonly of: number;
  readonly wrong: readonly string[];
}

interface TaskRow {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly archived: number;
  readonly comment_count: number;
  readonly activity_count: number;
}

/** Call this while the server is down. */
export async function compareRecords(state: string, callers: readonly Caller[]): Promise<ComparedRecords> {
  const databases = await openDatabases({ persistTo: state });
  const cell = databases.cells.get(0);
  if (!cell) throw new Error('There is no cell 0');
  const selectRows = async <T>(sql: string, ...params: unknown[]): Promise<T[]> => {
    const [found] = await cell.batch([{ sql, params, read: (rows) => rows as T[] }]);
    return found;
  };
  const problems: string[] = [];
  const result: ComparedRecords = {
    lost: 0,
    doubled: 0,
    compared: 0,
    uncertain: 0,
    uncertainDone: 0,
    problems,
  };
  const recordLoss = (text: string) => {
    result.lost += 1;
    problems.push(`lost: ${text}`);
  };
  const recordDuplicate = (text: string) => {
    result.doubled += 1;
    problems.push(`duplicated: ${text}`);
  };
  const expectOnce = (text: string, count: number) => {
    result.compared += 1;
    if (count === 0) recordLoss(text);
    if (count > 1) recordDuplicate(`${text} is there ${count} times`);
  };
  const createCounter = async (sql: string) => {
    const counts = new Map<string, number>();
    for (const { key } of await selectRows<{ key: string }>(sql)) counts.set(key, (counts.get(key) ?? 0) + 1);
    return (key: string) => counts.get(key) ?? 0;
  };

  try {
    const rows = new Map(
      (
        await selectRows<TaskRow>(
          "SELECT id, name, status, archived, comment_count, activity_count FROM tasks WHERE name LIKE 'soak %'",
        )
      ).map((row) => [row.id, row]),
    );
    const countTasks = await createCounter("SELECT name AS key FROM tasks WHERE name LIKE 'soak %'");
    const countComments = await createCounter(
      "SELECT task || ' ' || content AS key FROM comments WHERE content LIKE 'soak %'",
    );
    const countMeetings = await createCounter("SELECT name AS key FROM meetings WHERE name LIKE 'soak %'");
    const countFiles = await createCounter(
      "SELECT task || ' ' || file_name AS key FROM attachments WHERE file_name LIKE 'soak %'",
    );
    const countKeys = await createCounter("SELECT name AS key FROM credentials WHERE name LIKE 'soak key %'");
    const knownNames = new Set<string>();

    for (const { record, person, tracksTime } of callers) {
      for (const each of record.uncertain) {
        const { kind, text } = each;
        const count = each.kind === 'task' ? countTasks(text) : countComments(`${each.task.id} ${text}`);
        result.uncertain += 1;
        result.uncertainDone += Math.min(count, 1);
        if (count > 1) recordDuplicate(`${kind} '${text}'`);
        if (each.kind === 'comment') {
          each.task.comments += count;
          each.task.activities += count;
        } else knownNames.add(text);
      }
      for (const task of record.tasks.values()) {
        const row = rows.get(task.id);
        result.compared += 1;
        knownNames.add(task.name);
        if (!row) {
          recordLoss(`task ${task.id} '${task.name}'`);
          continue;
        }
        const stored = [row.name, statuses[row.status], row.archived === 1].join(', ');
        const expected = [task.name, task.status, task.archived].join(', ');
        if (stored !== expected) recordLoss(`task ${task.id} is ${stored}; acknowledged was ${expected}`);
        if (countTasks(task.name) > 1) recordDuplicate(`task '${task.name}'`);
        for (const what of ['comments', 'activities'] as const) {
          const count = what === 'comments' ? row.comment_count : row.activity_count;
          result.compared += task[what];
          if (count < task[what]) recordLoss(`task ${task.id} has ${count} ${what}, not ${task[what]}`);
          if (count > task[what]) recordDuplicate(`task ${task.id} has ${count} ${what}, not ${task[what]}`);
        }
      }
      for (const { task, content } of record.comments)
        expectOnce(`comment '${content}'`, countComments(`${task} ${content}`));
      for (const { name } of record.meetings) {
        expectOnce(`meeting '${name}'`, countMeetings(name));
        // A meeting creates one task per participant, and each of these meetings has one participant.
        expectOnce(`task of '${name}'`, countTasks(name));
        knownNames.add(name);
      }
      for (const { task, fileName } of record.files)
        expectOnce(`file '${fileName}'`, countFiles(`${task} ${fileName}`));
      for (const name of record.keys) expectOnce(`API key '${name}'`, countKeys(name));
      if (tracksTime) {
        const [entries] = await selectRows<{ n: number }>(
          'SELECT count(*) AS n FROM time_entries e JOIN members m ON m.no = e.member JOIN workspaces w ON w.no = m.ws WHERE m.user_id = ? AND w.id = ? AND e.started_at > ?',
          person.userId,
          person.workspaceId,
          person.since,
        );
        const n = entries?.n ?? 0;
        result.compared += record.timers;
        if (n < record.timers) recordLoss(`${person.email} has ${n} time entries, not ${record.timers}`);
        if (n > record.timers) recordDuplicate(`${person.email} has ${n} time entries, not ${record.timers}`);
      }
    }
    for (const { name, id } of rows.values())
      if (!knownNames.has(name)) recordDuplicate(`task ${id} '${name}' was never acknowledged`);
    return result;
  } finally {
    await databases.close();
  }
}

export async function compareFiles(callers: readonly Caller[]): Promise<ComparedFiles> {
  const files = callers.flatMap(({ record, person }) => record.files.map((file) => ({ ...file, person })));
  const wrong: string[] = [];
  const chosen = files.slice(-FILES_FETCHED_MAX);
  for (const { id, task, fileName, sha256, person } of chosen) {
    const { url } = await person.client.read<{ url: string }>(`/tasks/${task}/attachments/${id}/download`);
    const { pathname, search } = new URL(url);
    const { status, bytes } = await person.stranger.sendUntilAnswered('GET', pathname + search);
    const found = createHash('sha256').update(bytes).digest('hex');
    if (status !== 200 || found !== sha256) wrong.push(`${fileName}: ${status}, ${bytes.length} bytes`);
  }
  return { fetched: chosen.length, of: files.length, wrong };
}
