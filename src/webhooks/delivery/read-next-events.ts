import { guardCaller } from '../../accounts/credentials/credentials.queries.ts';
import { toEvent } from '../../events/feed/events.present.ts';
import { findLogRange, listEvents } from '../../events/feed/events.queries.ts';
import { expandEventType } from '../../events/feed/events.schema.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { findWebhookSender, type WebhookSenderRow } from './delivery.queries.ts';

const EVENTS_PER_READ_MAX = 100;

export interface NextEvents {
  readonly sender: WebhookSenderRow | null;
  readonly events: readonly ReturnType<typeof toEvent>[];
  readonly readTo: number;
  readonly head: number;
  readonly oldest: number;
}

/** Throws `StaleCallerError` if the creator has changed. `until` limits a repeated batch to its original events. */
export async function readNextEvents(
  scope: RequestScope,
  creator: Caller,
  sender: WebhookSenderRow,
  until: number | null,
): Promise<NextEvents> {
  const db = new GuardedDatabase(scope.cell(creator.cell), guardCaller(creator, scope.now));
  const { id, cursor: after, types, project, batch } = sender;
  const window = until === null ? EVENTS_PER_READ_MAX : Math.min(EVENTS_PER_READ_MAX, until - after);
  const filter = {
    after,
    window,
    types: types === null ? undefined : (JSON.parse(types) as string[]).flatMap(expandEventType),
    projectId: project ?? undefined,
    limit: batch === 1 ? EVENTS_PER_READ_MAX : 1,
  };
  const [current, { oldest, head }, rows] = await db.batch([
    findWebhookSender(creator.workspace, id),
    findLogRange(creator),
    listEvents(creator, filter),
  ]);
  const events = rows.map((row) => toEvent(row, creator.workspaceId));
  return { sender: current, events, readTo: Math.min(head, after + window), head, oldest };
}
