/** After a pause this long, an app's next change starts a new session. */
const SESSION_PAUSE_MS = 30 * 60_000;

export interface ChangeTime {
  readonly seq: number;
  readonly occurred_at: number;
}

interface Session {
  from: number;
  readonly until: number;
  start: number;
  readonly end: number;
  changes: number;
}

/**
 * `rows` starts with the newest change. If there are more than `limit` rows, the oldest session may be incomplete, so
 * it is left out unless it is the only one.
 */
export function groupIntoSessions(
  rows: readonly ChangeTime[],
  limit: number,
): { sessions: Session[]; next: number | null } {
  const sessions: Session[] = [];
  for (const { seq, occurred_at } of rows.slice(0, limit)) {
    const last = sessions.at(-1);
    if (last && last.start - occurred_at <= SESSION_PAUSE_MS) {
      Object.assign(last, { from: seq, start: occurred_at, changes: last.changes + 1 });
    } else {
      sessions.push({ from: seq, until: seq, start: occurred_at, end: occurred_at, changes: 1 });
    }
  }
  if (rows.length <= limit) return { sessions, next: null };
  if (sessions.length > 1) sessions.pop();
  return { sessions, next: sessions.at(-1)?.from ?? null };
}
