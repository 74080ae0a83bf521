import { runCron as runTick } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createMeeting, createWorld } from '../../support/world.ts';

/**
 * For each database keeper, its number of D1 statements and of calls to R2, email and Durable Objects. Counted here, so
 * that tests don't rely on the worker's own counter.
 */
export type CallCounts = Map<string, { calls: number }>;

/** Runs a cron expression with bindings that count calls. Additional cells are aliases of the two real ones. */
export async function runCronTick(
  cron: string,
  { cells = 2, bindings = {} }: { cells?: number; bindings?: Partial<Env> } = {},
): Promise<CallCounts> {
  const seen: CallCounts = new Map();
  const bound = Object.fromEntries(Array.from({ length: cells }, (_, no) => [`CELL_${no}`, getCell(no % 2)]));
  await runTick(cron, { ...bound, ...bindings }, (keeper, all) => {
    const count = { calls: 0 };
    seen.set(keeper, count);
    return countEnvCalls(all, count);
  });
  return seen;
}

export const findMostCalls = (seen: CallCounts): number =>
  Math.max(...[...seen.values()].map(({ calls }) => calls));

function countEnvCalls(all: Env, seen: { calls: number }): Env {
  const counted = Object.entries(all).map(([name, binding]) =>
    name === 'DIRECTORY' || /^CELL_\d+$/.test(name)
      ? [name, countStatements(binding as D1Database, seen)]
      : [name, binding],
  );
  return {
    ...Object.fromEntries(counted),
    FILES: countCalls(all.FILES, seen),
    UPLOAD_SESSION: {
      getByName: (name: string) => countCalls(all.UPLOAD_SESSION.getByName(name), seen),
    },
    EMAIL: countCalls({ send: async () => undefined }, seen),
  } as Env;
}

function countStatements(db: D1Database, seen: { calls: number }): D1Database {
  return {
    prepare: (query: string) => db.prepare(query),
    batch: (statements: D1PreparedStatement[]) => {
      seen.calls += statements.length;
      return db.batch(statements);
    },
  } as unknown as D1Database;
}

function countCalls<T extends object>(binding: T, seen: { calls: number }): T {
  return new Proxy(binding, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        seen.calls += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const buildNumbersSql = (count: number) =>
  `(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i FROM n)`;

const workAmounts = {
  cutoffs: 200,
  keys: 5_000,
  meetings: 30,
  uploads: 60,
  notifications: 1_000,
  credentials: 400,
};

export async function createWorkForEveryJob(): Promise<void> {
  for (const no of [0, 1] as const) {
    const world = await createWorld({ cell: no });
    const { lead, member } = world.people;
    const meeting = await createMeeting(lead, world.projects.joined.id, {
      participantIds: [lead.userId, member.userId],
    });
    const db = getCell(no);
    const statements = [
      `UPDATE meetings SET recurrence = 'FREQ=WEEKLY', due_at = 1 WHERE id = ${meeting.id}`,
      `INSERT INTO meetings (ws, project, name, duration_minutes, recurrence, first_date, first_time, slot, date, time, due_at, created_by, created_at)
        SELECT ws, project, 'copy ' || n.i, duration_minutes, recurrence, first_date, first_time, slot, date, time, 1, created_by, created_at
        FROM meetings m CROSS JOIN ${buildNumbersSql(workAmounts.meetings - 1)} n WHERE m.id = ${meeting.id}`,
      `INSERT INTO meeting_tasks SELECT m.id, 1, mt.member, mt.task FROM meetings m CROSS JOIN meeting_tasks mt
        WHERE m.id > ${meeting.id} AND mt.meeting = ${meeting.id}`,
      `INSERT INTO workspaces (id, name, past_cutoff, created_at)
        SELECT 'ws_late_${no}_' || i, 'late', '2025-01-01', 0 FROM ${buildNumbersSql(workAmounts.cutoffs)}`,
      `INSERT INTO idempotency_keys (id, request, created_at) SELECT 'old ' || i, 'x', 1 FROM ${buildNumbersSql(workAmounts.keys)}`,
      `INSERT INTO uploads (s3_key, ws, member, file_name, file_type, file_size, reserved, expires_at)
        SELECT '${no}/none/' || i, ${world.no}, ${member.member}, 'f', 't', 1, 0, 1 FROM ${buildNumbersSql(workAmounts.uploads)}`,
      `INSERT INTO notifications (user_id, ws, type, read_at, created_at)
        SELECT '${member.userId}', ${world.no}, 'task_assigned', 1, 1 FROM ${buildNumbersSql(workAmounts.notifications)}`,
      `INSERT INTO notification_counts (user_id, total) VALUES ('${member.userId}', ${workAmounts.notifications})
        ON CONFLICT (user_id) DO UPDATE SET total = total + excluded.total`,
      `INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at, revoked_at)
        SELECT 'old ' || i, ${world.no}, ${member.member}, 'api_key', 'old', 'x', 'tasks:read', 1, 1
        FROM ${buildNumbersSql(workAmounts.credentials)}`,
    ];
    await db.batch(statements.map((statement) => db.prepare(statement)));
  }
  await env.DIRECTORY.batch(
    [
      `INSERT INTO outbox (recipient, subject, text, html, created_at, next_attempt_at)
        SELECT 'a@example.com', 's', 't', 'h', 1, 1 FROM ${buildNumbersSql(60)}`,
      `INSERT INTO outbox (recipient, subject, text, html, created_at, sent_at)
        SELECT 'a@example.com', 's', 't', 'h', 1, 1 FROM ${buildNumbersSql(300)}`,
      `INSERT INTO email_verifications SELECT 'v ' || i, 'usr_x', 1, 0 FROM ${buildNumbersSql(300)}`,
      `INSERT INTO browser_sessions (id_hash, user_id, created_at, expires_at)
        SELECT 's ' || i, 'usr_x', 0, 1 FROM ${buildNumbersSql(300)}`,
      `INSERT INTO oauth_clients (id, name, redirect_uris, created_at, expires_at)
        SELECT 'c ' || i, 'n', '[]', 0, 1 FROM ${buildNumbersSql(300)}`,
      "INSERT INTO oauth_clients (id, name, redirect_uris, created_at, deleted_at) VALUES ('gone', 'n', '[]', 0, 1)",
      `INSERT INTO oauth_app_people SELECT 'gone', 'usr_' || i, 'ws_none', i % 2 FROM ${buildNumbersSql(300)}`,
    ].map((statement) => env.DIRECTORY.prepare(statement)),
  );
}

const getToday = () => new Date().toISOString().slice(0, 10);

export async function countRemainingWork(): Promise<Record<string, number>> {
  const left: Record<string, number> = {};
  const countLeft = async (db: D1Database, name: string, query: string) => {
    left[name] = (await db.prepare(`SELECT count(*) AS n FROM ${query}`).first('n')) as number;
  };
  for (const no of [0, 1]) {
    const db = getCell(no);
    await countLeft(db, `deadlines.sum ${no}`, `workspaces WHERE past_cutoff < '${getToday()}'`);
    await countLeft(db, `idempotency.clean ${no}`, 'idempotency_keys WHERE created_at = 1');
    await countLeft(db, `meetings.generate ${no}`, 'meetings WHERE due_at = 1');
    await countLeft(db, `uploads.expire ${no}`, 'uploads WHERE expires_at = 1');
    await countLeft(
      db,
      `notifications.clean ${no}`,
      'notifications WHERE read_at = 1 AND id < (SELECT max(id) FROM notifications)',
    );
    await countLeft(
      db,
      `credentials.clean ${no}`,
      'credentials WHERE revoked_at = 1 AND id < (SELECT max(id) FROM credentials)',
    );
  }
  const { DIRECTORY } = env;
  await countLeft(DIRECTORY, 'outbox.deliver', 'outbox WHERE next_attempt_at = 1');
  await countLeft(DIRECTORY, 'outbox.clean', 'outbox WHERE sent_at = 1');
  await countLeft(DIRECTORY, 'verifications.clean', 'email_verifications WHERE expires_at = 1');
  await countLeft(DIRECTORY, 'sessions.clean', 'browser_sessions WHERE expires_at = 1');
  await countLeft(DIRECTORY, 'oauth.clean', 'oauth_clients WHERE expires_at = 1');
  return left;
}
