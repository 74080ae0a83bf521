import { hasNoActor } from '../../kernel/access/access.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { eventTypes, type FieldChange } from '../log/event-types.ts';
import type { EventRow } from './events.queries.ts';

export function toEvent(row: EventRow, workspaceId: string) {
  const { seq, type, project, task, entity, actor_id, actor_name } = row;
  const field = eventTypes[type];
  return {
    id: `evt_${workspaceId.replace(/^\w+?_/, '')}_${seq}`,
    seq,
    type,
    occurredAt: toTimestamp(row.occurred_at),
    actor: actor_id === null || hasNoActor(row.via) ? null : { id: actor_id, name: actor_name ?? '' },
    via: row.via,
    project: project === null ? null : { id: project },
    task: task === null ? null : { id: task },
    ...(field !== null && entity !== null ? { [field]: { id: entity } } : {}),
    changes: toChanges(row.changes),
  };
}

/** Adds the null values that the log leaves out. A change whose values weren't stored becomes null. */
export function toChanges(stored: string): Record<string, FieldChange> {
  const changes = JSON.parse(stored) as Record<string, { from?: unknown; to?: unknown } | null>;
  return Object.fromEntries(
    Object.entries(changes).map(([field, change]) => [
      field,
      change && Object.keys(change).length > 0 ? { from: change.from ?? null, to: change.to ?? null } : null,
    ]),
  );
}
