import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';
import { webhookDeliveries, webhooks } from '../../schema/cell/webhooks.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const d = aliasTable(webhookDeliveries, 'd');
const e = aliasTable(events, 'e');
const h = aliasTable(webhooks, 'h');
const w = aliasTable(workspaces, 'w');

const stuckColumns = selectColumns({
  workspace: w.id,
  id: h.id,
  url: h.url,
  status: h.status,
  stop_reason: h.stop_reason,
  failures: h.failures,
  failing_since: h.failing_since,
  last_error: withType<string | null>(sql`(
    SELECT ${d.error} FROM ${d} WHERE ${d.webhook} = ${h.id} ORDER BY ${d.no} DESC LIMIT 1)`),
  behind: withType<number>(sql`(
    SELECT coalesce(max(${e.seq}), ${h.cursor}) FROM ${e} WHERE ${e.ws} = ${h.ws}) - ${h.cursor}`),
});
export type StuckWebhook = Row<typeof stuckColumns>;

export function listStuckWebhooks(limit: number): Statement<StuckWebhook[]> {
  return readRows(sql`
    SELECT ${stuckColumns} FROM ${h} INDEXED BY webhooks_stuck CROSS JOIN ${w} ON ${w.no} = ${h.ws}
    WHERE (${h.failures} > 0 OR ${h.status} = 'stopped') ORDER BY ${h.failing_since} LIMIT ${limit}`);
}

const idColumn = selectColumns({ id: webhooks.id });

export function pauseWebhook(workspaceId: string, id: number): Statement<Row<typeof idColumn>[]> {
  return readRows(sql`
    UPDATE ${webhooks} SET ${webhooks.status} = 'paused'
    WHERE ${webhooks.id} = ${id} AND ${webhooks.status} = 'active'
      AND ${webhooks.ws} = (SELECT ${w.no} FROM ${w} WHERE ${w.id} = ${workspaceId})
    RETURNING ${idColumn}`);
}
