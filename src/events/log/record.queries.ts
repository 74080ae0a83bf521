import type { WriteContext } from '../../kernel/operation/operation.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import type { EventType, FieldChange } from './event-types.ts';

const n = aliasTable(events, 'n');
const eventInsertTarget = nameInsertColumns(
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
  'credential',
  'undo_of',
  'replaced',
);

export interface EventDraft {
  type: EventType;
  /**
   * Limits the event to people who can see this project or the event's task. Without a project, everyone in the
   * workspace can see the event, unless `onlyFor` names a person.
   */
  project?: number | SQL;
  task?: number | SQL;
  entity?: number | string | SQL;
  onlyFor?: number;
  /**
   * SQL must return the changes as a JSON object. If the SQL reads rows that the batch changes, the event must be
   * recorded before those rows change.
   */
  changes?: Readonly<Record<string, FieldChange>> | SQL;
}

/** Records an event that isn't in a task's history. D1 commits one write at a time, so `seq` has no gaps. */
export function recordEvent(ctx: WriteContext, draft: EventDraft): Statement<void> {
  const { type, project, task, entity, onlyFor, changes = {} } = draft;
  const storedChanges = isSql(changes) ? changes : sql`${JSON.stringify(toStorableChanges(changes))}`;
  return recordEvents(
    ctx,
    sql`SELECT ${type} AS type, ${project ?? null} AS project, ${task ?? null} AS task,
      ${entity ?? null} AS entity,
      CAST(${onlyFor ?? null} AS INTEGER) AS reader, 0 AS position, ${storedChanges} AS changes, 0 AS entries`,
  );
}

interface EventAuthor extends Pick<WriteContext, 'via' | 'now' | 'undoOf'> {
  readonly caller: Pick<WriteContext['caller'], 'workspace' | 'credential'> & {
    readonly member: number | SQL;
  };
}

/**
 * Records one event per row of `drafts`, in the order of its column `position`, which starts at 0. With
 * `keepsReplaced`, `drafts` must also have a column `replaced`.
 */
export function recordEvents(
  { caller, via, now, undoOf }: EventAuthor,
  drafts: SQL,
  { keepsReplaced = false } = {},
): Statement<void> {
  const statement = write(sql`
    INSERT INTO ${eventInsertTarget}
    SELECT ${caller.workspace}, coalesce(l.seq, 0) + 1 + e.position, e.type, e.project, e.task,
      e.entity, e.reader, ${caller.member}, ${via}, e.changes, e.entries, max(${now}, coalesce(l.occurred_at, 0)),
      CAST(${caller.credential?.id ?? null} AS INTEGER), CAST(${undoOf ?? null} AS INTEGER),
      ${keepsReplaced ? sql`e.replaced` : sql`NULL`}
    FROM (SELECT max(${n.seq}) AS seq, ${n.occurred_at} AS occurred_at
      FROM ${n} WHERE ${n.ws} = ${caller.workspace}) l
    CROSS JOIN (${drafts}) e`);
  return { ...statement, changedWorkspace: caller.workspace };
}

/** Turns null into `{}`, because SQL merges changes with `json_patch`, which removes nulls. */
export function toStorableChanges(changes: Readonly<Record<string, FieldChange>>): Record<string, object> {
  return Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change ?? {}]));
}

function isSql(value: object): value is SQL {
  return 'queryChunks' in value;
}
