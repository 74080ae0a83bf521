import { guardCaller } from '../../accounts/credentials/credentials.queries.ts';
import { toEvent } from '../../events/feed/events.present.ts';
import { findLogEnds, listEvents } from '../../events/feed/events.queries.ts';
import { expand } from '../../events/feed/events.schema.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { findSender, type SenderRow } from './delivery.queries.ts';

/** How many events one look reads; a batch holds at most as many. */
const WINDOW = 100;

export interface Look {
  /** The webhook as it is now; null where it was deleted. */
  readonly current: SenderRow | null;
  /** Visible to the creator at this moment, and chosen by the filters of the webhook. */
  readonly events: readonly ReturnType<typeof toEvent>[];
  /** Up to where the log was read. */
  readonly readTo: number;
  readonly head: number;
  /** The oldest event that the log still tells. */
  readonly oldest: number;
}

/**
 * What comes next for a webhook, in one transaction that checks its creator. Throws `StaleCaller` where something about
 * the creator has changed.
 * @param until the last `seq` to read, where a batch was begun before.
 */
export async function look(
  scope: RequestScope,
  creator: Caller,
  sender: SenderRow,
  until: number | null,
): Promise<Look> {
  const db = new GuardedDatabase(scope.cell(creator.cell), guardCaller(creator, scope.now));
  const { id, cursor: after, types, project, batch } = sender;
  const window = until === null ? WINDOW : Math.min(WINDOW, until - after);
  const filter = {
    after,
    window,
    types: types === null ? undefined : (JSON.parse(types) as string[]).flatMap(expand),
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
