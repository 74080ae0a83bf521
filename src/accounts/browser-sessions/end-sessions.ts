import { type AuditAuthor, describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import type { Databases } from '../../kernel/sql/database.ts';
import { formatCount } from '../../kernel/text/number-format.ts';
import {
  deleteEndedSessions,
  deleteExpiredSessions,
  type EndedSession,
  listEndedSessions,
  listEndedUserSessions,
} from './browser-session.queries.ts';
import { endWorkspaceSessions } from './workspace-session.queries.ts';

type SessionScope = Pick<RequestScope, 'directory' | 'cell' | 'config' | 'now' | 'clientIp' | 'userAgent'>;

interface SessionEndOptions {
  readonly from: AuditAuthor['from'] | null;
  readonly now: number;
}

const SESSIONS_PER_SLICE = 100;
const SLICES_PER_RUN = 10;
const CELLS_PER_SLICE_MAX = 50;

/** If a cell doesn't respond, `cleanBrowserSessions` tries again within a minute. */
export async function deleteSessionCopies(scope: SessionScope, userId: string): Promise<void> {
  try {
    await deleteSessionCopiesOrThrow(getDatabases(scope), userId, {
      from: describeRequestSource(scope),
      now: scope.now,
    });
  } catch (error) {
    log('error', 'sessions.unsettled', { person: userId, cause: describeError(error) });
  }
}

export async function deleteSessionCopiesOrThrow(
  databases: Databases,
  userId: string,
  ending: SessionEndOptions,
): Promise<void> {
  const [ended] = await databases.directory.batch([listEndedUserSessions(userId, SESSIONS_PER_SLICE)]);
  await deleteCopiesInCells(databases, ended, ending);
}

function getDatabases({
  directory,
  config,
  cell,
}: Pick<SessionScope, 'directory' | 'config' | 'cell'>): Databases {
  return { directory, cells: new Map([...config.cells.keys()].map((no) => [no, cell(no)])) };
}

const CLEAN_SESSIONS_COST = 3 + 2 * CELLS_PER_SLICE_MAX;

export const cleanBrowserSessions: DirectoryJob = {
  name: 'sessions.clean',
  cost: CLEAN_SESSIONS_COST,
  async run(scope, allowance) {
    const slices = countAffordableUnits(allowance, CLEAN_SESSIONS_COST, SLICES_PER_RUN);
    for (let left = slices; left > 0; left -= 1) {
      const [, ended] = await scope.directory.batch([
        deleteExpiredSessions(scope.now),
        listEndedSessions(SESSIONS_PER_SLICE),
      ]);
      const slice = takeAffordableSessions(ended);
      await deleteCopiesInCells(getDatabases(scope), slice, { from: null, now: scope.now });
      if (slice.length < ended.length) continue;
      if (ended.length < SESSIONS_PER_SLICE) return false;
    }
    return true;
  },
};

function takeAffordableSessions(ended: readonly EndedSession[]): readonly EndedSession[] {
  const cells = new Set<number>();
  const tooMany = ended.findIndex((session) => {
    for (const no of JSON.parse(session.cells) as number[]) cells.add(no);
    return cells.size > CELLS_PER_SLICE_MAX;
  });
  return tooMany === -1 ? ended : ended.slice(0, Math.max(1, tooMany));
}

async function deleteCopiesInCells(
  { directory, cells }: Databases,
  ended: readonly EndedSession[],
  { from, now }: SessionEndOptions,
): Promise<void> {
  if (ended.length === 0) return;
  const byCell = Map.groupBy(
    ended.flatMap((session) => (JSON.parse(session.cells) as number[]).map((no) => ({ no, session }))),
    ({ no }) => no,
  );
  const known = [...byCell];
  const results = await Promise.allSettled(
    known.map(([no, found]) =>
      cells.get(no)?.batch(
        endWorkspaceSessions(
          found.map(({ session }) => session),
          from,
          now,
        ),
      ),
    ),
  );
  const failed = known.filter((_, index) => results[index]?.status === 'rejected');
  const remembered = new Set(failed.flatMap(([, found]) => found.map(({ session }) => session)));
  const forgotten = ended.filter((session) => !remembered.has(session));
  await directory.batch([deleteEndedSessions(forgotten.map(({ id_hash }) => id_hash))]);
  if (failed.length > 0) {
    throw new Error(
      `couldn't end ${formatCount(remembered.size, 'session')} in cells ${failed.map(([no]) => no).join(', ')}`,
    );
  }
}
