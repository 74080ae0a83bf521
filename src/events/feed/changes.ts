import * as z from 'zod';
import { hasNoActor } from '../../kernel/access/access.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { instantInput, integerId, toTimestamp } from '../../kernel/operation/schema.ts';
import { toChanges } from './events.present.ts';
import {
  findEventTime,
  findLogRange,
  findOldestEventTime,
  listChanges as selectChanges,
} from './events.queries.ts';
import { event, eventKinds, expandEventType } from './events.schema.ts';

const CHANGES_MAX = 300;
const EVENTS_READ_MAX = 1_000;
const PAGES_SCANNED_MAX = 8;

const change = event.pick({ seq: true, type: true, occurredAt: true, actor: true, changes: true }).extend({
  task: z.object({ id: z.int(), name: z.string() }).nullable(),
  project: z.object({ id: z.int(), name: z.string() }).nullable(),
});
export type Change = z.output<typeof change>;

/**
 * Agents use this operation to read the newest changes first. Programs use `listEvents`, which starts with the oldest
 * event.
 */
export const listChanges = defineOperation(
  {
    name: 'listChanges',
    summary: 'List changes since a point in time, newest first',
    access: 'events:read',
    capability: 'followEvents',
    effect: 'read',
    input: z.strictObject({
      since: instantInput,
      cursor: z
        .string()
        .regex(/^\d{1,15}$/)
        .optional(),
      kinds: z
        .array(z.enum(eventKinds as [string, ...string[]]))
        .min(1)
        .optional(),
      projectId: integerId.optional(),
      actorId: z.string().max(100).optional(),
    }),
    output: z.object({
      data: z.array(change),
      keptSince: z.string().nullable(),
      /** The filter has been applied to all changes after this time. Missing if there are no older changes. */
      scannedSince: z.string().optional(),
    }),
  },
  async ({ db, caller }, { since, cursor, kinds, ...filter }) => {
    const [{ head }] = cursor === undefined ? await db.batch([findLogRange(caller)]) : [{ head: 0 }];
    const sinceMs = Date.parse(since);
    const types = kinds?.flatMap((kind) => expandEventType(`${kind}.*`));
    const scan = async (before: number) => {
      const [rows, next, kept] = await db.batch([
        selectChanges(caller, {
          ...filter,
          types,
          before,
          since: sinceMs,
          window: EVENTS_READ_MAX,
          limit: CHANGES_MAX,
        }),
        findEventTime(caller, before - EVENTS_READ_MAX - 1),
        findOldestEventTime(caller),
      ]);
      const isCut = rows.length === CHANGES_MAX;
      const older = next !== null && next.at >= sinceMs ? next : null;
      return {
        rows,
        kept,
        older,
        end: isCut ? rows.at(-1)?.seq : older ? before - EVENTS_READ_MAX : undefined,
      };
    };
    let found = await scan(cursor === undefined ? head + 1 : Number(cursor));
    for (
      let scans = 1;
      scans < PAGES_SCANNED_MAX && found.rows.length === 0 && found.end !== undefined;
      scans += 1
    ) {
      found = await scan(found.end);
    }
    const { rows, kept, older, end } = found;
    const data = rows.map((row) => ({
      seq: row.seq,
      type: row.type,
      occurredAt: toTimestamp(row.occurred_at),
      actor:
        row.actor_id === null || hasNoActor(row.via)
          ? null
          : { id: row.actor_id, name: row.actor_name ?? '' },
      changes: toChanges(row.changes),
      task: row.task === null ? null : { id: row.task, name: row.task_name ?? '' },
      project: row.project === null ? null : { id: row.project, name: row.project_name ?? '' },
    }));
    return new OperationResponse(
      {
        data,
        keptSince: kept === null ? null : toTimestamp(kept.at),
        ...(older && { scannedSince: toTimestamp(older.at) }),
      },
      { nextCursor: end === undefined ? undefined : String(end) },
    );
  },
);
