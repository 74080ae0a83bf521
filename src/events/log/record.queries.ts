import type { WriteContext } from '../../kernel/operation/operation.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { into, names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import type { EventType, FieldChange } from './event-types.ts';

const n = names(events, 'n');
const intoEvents = into(
  events,
  'ws',
  'seq',
  'type',
  'project',
  'task',
  'entity',
  'reader',
  'actor',
  'via',
  'changes',
  'entries',
  'occurred_at',
);

export interface EventDraft {
  type: EventType;
  /** The project that decides who sees the event; without it everyone in the workspace does. */
  project?: number | SQL;
  task?: number | SQL;
  /** What it is about besides, by the id that clients know. */
  entity?: number | string | SQL;
  /** The membership that alone may see it. */
  onlyFor?: number;
  /** SQL yields a JSON object of the same shape, told from rows: put the statement where those rows are still the old ones. */
  changes?: Readonly<Record<string, FieldChange>> | SQL;
}

/**
 * Logs what happened, in the batch that makes it happen; it makes no entry in the history of a task. One writer commits
 * at a time, so `seq` follows the commits and no number is missing.
 */
export function recordEvent(ctx: WriteContext, draft: EventDraft): Statement<void> {
  const { type, project, task, entity, onlyFor, changes = {} } = draft;
  const told = isSql(changes) ? changes : sql`${JSON.stringify(storable(changes))}`;
  return recordEvents(
    ctx,
    sql`SELECT ${type} AS type, ${project ?? null} AS project, ${task ?? null} AS task,
      ${entity ?? null} AS entity,
      CAST(${onlyFor ?? null} AS INTEGER) AS reader, 0 AS position, ${told} AS changes, 0 AS entries`,
  );
}

/** Who did it; SQL tells the number of a member whom the same batch inserted. */
interface Author extends Pick<WriteContext, 'via' | 'now'> {
  readonly caller: { readonly workspace: number; readonly member: number | SQL };
}

/**
 * Logs what `drafts` selects: `type`, `project`, `task`, `entity`, `reader`, `changes`, `entries`, one event a row, and
 * `position`, which counts them from 0.
 */
export function recordEvents({ caller, via, now }: Author, drafts: SQL): Statement<void> {
  const statement = write(sql`
    INSERT INTO ${intoEvents}
    SELECT ${caller.workspace}, coalesce(l.seq, 0) + 1 + e.position, e.type, e.project, e.task,
      e.entity, e.reader, ${caller.member}, ${via}, e.changes, e.entries, max(${now}, coalesce(l.occurred_at, 0))
    FROM (SELECT max(${n.seq}) AS seq, ${n.occurred_at} AS occurred_at
      FROM ${n} WHERE ${n.ws} = ${caller.workspace}) l
    CROSS JOIN (${drafts}) e`);
  return { ...statement, changedWorkspace: caller.workspace };
}

/** A change without values is stored as `{}`, because `json_patch`, which merges changes in SQL, drops nulls. */
function storable(changes: Readonly<Record<string, FieldChange>>): Record<string, object> {
  return Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change ?? {}]));
}

function isSql(value: object): value is SQL {
  return 'queryChunks' in value;
}
