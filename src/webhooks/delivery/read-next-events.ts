import { guardCaller } from '../../accounts/credentials/credentials.queries.ts';
import { toEvent } from '../../events/feed/events.present.ts';
import { findLogEnds, listEvents } from '../../events/feed/events.queries.ts';
import { expandType } from '../../events/feed/events.schema.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { findSender, type SenderRow } from './delivery.queries.ts';

/** How many events of the log are read at a time, and at most sent in a batch. */
const WINDOW = 100;

export interface NextEvents {
  /** The webhook as it is now; null if it was deleted. */
  readonly current: SenderRow | null;
  /** The events that are visible to the creator now and match the filters of the webhook. */
  readonly events: readonly ReturnType<typeof toEvent>[];
  /** The last `seq` that was read. */
  readonly readTo: number;
  readonly head: number;
  /** The oldest event that is kept. */
  readonly oldest: number;
}

/**
 * Checks the creator in the same transaction, and throws `StaleCaller` if something about them has changed.
 * @param until the last `seq` to read, if a batch is being repeated.
 */
export async function readNextEvents(
  scope: RequestScope,
  creator: Caller,
  sender: SenderRow,
  until: number | null,
): Promise<NextEvents> {
  const db = new GuardedDatabase(scope.cell(creator.cell), guardCaller(creator, scope.now));
  const { id, cursor: after, types, project, batch } = sender;
  const window = until === null ? WINDOW : Math.min(WINDOW, until - after);
  const filter = {
    after,
    window,
    types: types === null ? undefined : (JSON.parse(types) as string[]).flatMap(expandType),
    projectId: project ?? undefined,
    limit: batch === 1 ? WINDOW : 1,
  };
  const [current, { oldest, head }, rows] = await db.batch([
    findSender(creator.workspace, id),
    findLogEnds(creator),
    listEvents(creator, filter),
  ]);
  const events = rows.map((row) => toEvent(row, creator.workspaceId));
  return { current, events, readTo: Math.min(head, after + window), head, oldest };
}
