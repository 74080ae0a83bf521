import { toChanges } from '../../events/feed/events.present.ts';
import { type EventType, eventTypes } from '../../events/log/event-types.ts';
import { hasNoActor } from '../../kernel/access/access.ts';
import { isAfter } from '../../kernel/lists/pagination.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasTable, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { ROWS_MAX } from './limits.queries.ts';
import { defineTable, toUserId } from './table.ts';

const e = aliasTable(events, 'e');

const eventColumns = selectColumns({
  seq: e.seq,
  type: withType<EventType>(e.type),
  project: e.project,
  task: e.task,
  entity: e.entity,
  actor: e.actor,
  via: e.via,
  changes: e.changes,
  occurred_at: e.occurred_at,
});

export const historyTable = defineTable({
  name: 'history',
  description:
    'All changes that are still stored, in the order in which they happened. Values that were too long to store are null.',
  read: ({ ws, member, after }) =>
    readRows(sql`
      SELECT ${eventColumns} FROM ${e}
      WHERE ${e.ws} = ${ws} AND ${isAfter({ after }, [{ column: e.seq }])}
        AND (${e.reader} IS NULL OR ${e.reader} = ${member})
      ORDER BY ${e.seq} LIMIT ${ROWS_MAX}`),
  key: ({ seq }) => [seq],
  show: ({ seq, type, project, task, entity, actor, via, changes, occurred_at }, lookups) => {
    const item = eventTypes[type];
    return {
      ...{ seq, type, via },
      occurredAt: toTimestamp(occurred_at),
      actorId: hasNoActor(via) ? null : toUserId(lookups, actor),
      projectId: project,
      taskId: task,
      ...(item !== null && entity !== null && { [`${item}Id`]: entity }),
      changes: toChanges(changes),
    };
  },
  isOwn: ({ actor, via }, member) => actor === member && !hasNoActor(via),
});
