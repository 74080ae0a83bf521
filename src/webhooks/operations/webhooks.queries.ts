// This file is long because the statements of the webhook operations share their columns, joins and conditions.
import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import type { Reach } from '../../kernel/access/capabilities.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, hasRow, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import { events } from '../../schema/cell/events.ts';
import { projects } from '../../schema/cell/projects.ts';
import { webhookDeliveries, webhooks } from '../../schema/cell/webhooks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { webhookScopes } from '../delivery/stop-reasons.ts';
import { tooManyWebhooksError } from './webhooks.policy.ts';
import { WEBHOOKS_MAX } from './webhooks.schema.ts';

const webhookTable = aliasTable(webhooks, 'webhooks');
const c = aliasTable(credentials, 'c');
const e = aliasTable(events, 'e');
const h = aliasTable(webhooks, 'h');
const m = aliasTable(members, 'm');
const p = aliasLeftJoinedTable(projects, 'p');

export type WebhookRow = Row<typeof webhookColumns>;

export interface WebhookDraft {
  url: string;
  types: readonly string[] | null;
  projectId: number | null;
  description: string | null;
  batch: boolean;
}

const webhookColumns = selectColumns({
  id: h.id,
  member: h.member,
  url: h.url,
  description: h.description,
  types: h.types,
  project_id: h.project,
  project_name: p.name,
  batch: h.batch,
  status: h.status,
  stop_reason: h.stop_reason,
  cursor: h.cursor,
  failures: h.failures,
  failing_since: h.failing_since,
  next_attempt_at: h.next_attempt_at,
  delivered_at: h.delivered_at,
  previous_until: h.previous_until,
  made_with: withType<'session' | 'api_key' | 'oauth'>(
    sql`CASE WHEN ${h.credential} IS NULL THEN 'session' ELSE coalesce(${c.kind}, 'api_key') END`,
  ),
  creator_id: m.user_id,
  creator_name: m.name,
  creator_email: m.email,
  created_at: h.created_at,
});
const webhookJoins = sql`
  CROSS JOIN ${m} ON ${m.no} = ${h.member}
  LEFT JOIN ${p} ON ${p.id} = ${h.project} AND ${p.ws} = ${h.ws}
  LEFT JOIN ${c} ON ${c.id} = ${h.credential}`;

function isWebhookVisible({ workspace, member }: Caller, reach: Reach): SQL {
  const inWorkspace = sql`${h.ws} = ${workspace}`;
  if (reach === 'all') return inWorkspace;
  return reach === 'own' ? sql`${inWorkspace} AND ${h.member} = ${member}` : sql`${inWorkspace} AND 0`;
}

export function listWebhooks(caller: Caller, reach: Reach, range: PageRange): Statement<WebhookRow[]> {
  return readRows(sql`
    SELECT ${webhookColumns} FROM (
      SELECT h.* FROM ${h}
      WHERE ${isWebhookVisible(caller, reach)} AND ${isAfter(range, [{ column: h.id, isDescending: true }])}
      ORDER BY ${h.id} DESC ${buildLimit(range)}) h ${webhookJoins}
    ORDER BY ${h.id} DESC`);
}

export function countWebhooks(caller: Caller, reach: Reach): Statement<number> {
  return readNumber(sql`SELECT count(*) AS n FROM ${h} WHERE ${isWebhookVisible(caller, reach)}`);
}

export function findWebhook(caller: Caller, reach: Reach, id: number): Statement<WebhookRow | null> {
  return readFirstRow(
    sql`SELECT ${webhookColumns} FROM ${h} ${webhookJoins} WHERE ${isWebhookVisible(caller, reach)} AND ${h.id} = ${id}`,
  );
}

export function findNewestWebhook(caller: Caller): Statement<WebhookRow> {
  return readRow(sql`
    SELECT ${webhookColumns} FROM ${h} ${webhookJoins} WHERE ${h.ws} = ${caller.workspace} AND ${h.id} = ${newestWebhookId}`);
}

export const newestWebhookId = sql`(SELECT max(${webhooks.id}) FROM ${webhooks})`;

export function countVisibleProjects(caller: Caller, id: number): Statement<number> {
  return readNumber(sql`
    SELECT count(*) AS n FROM ${p}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${id} AND ${isProjectVisible(caller, p.id)}`);
}

function selectCallerCredential({ workspace, credential }: Caller): SQL {
  if (credential.kind === 'session') return sql`NULL`;
  return sql`(SELECT ${c.id} FROM ${c} WHERE ${c.hash} = ${credential.hash} AND ${c.ws} = ${workspace})`;
}

/** The webhook starts with the next event. Aborts the batch if the workspace has reached its limit. */
export function insertWebhook(
  caller: Caller,
  draft: WebhookDraft,
  secret: string,
  now: number,
): Statement<void>[] {
  const { url, types, projectId, description, batch } = draft;
  const { workspace } = caller;
  return [
    rejectUnless(
      sql`(SELECT count(*) FROM ${h} WHERE ${h.ws} = ${workspace}) < ${WEBHOOKS_MAX}`,
      tooManyWebhooksError(),
    ),
    write(sql`
      INSERT INTO ${nameInsertColumns(webhooks, 'ws', 'member', 'credential', 'url', 'description', 'types', 'project', 'batch', 'secret', 'cursor', 'created_at')}
      VALUES (${workspace}, ${caller.member}, ${selectCallerCredential(caller)}, ${url}, ${description},
        ${types && JSON.stringify(types)}, ${projectId}, ${batch ? 1 : 0}, ${secret},
        coalesce((SELECT max(${e.seq}) FROM ${e} WHERE ${e.ws} = ${workspace}), 0), ${now})`),
  ];
}

const isWebhook = (caller: Argument<Caller>, id: Argument<number>) =>
  and(eq(webhooks.ws, caller.workspace), eq(webhooks.id, id));

/** Applied if a webhook is restarted, or if its URL, event filter or batching changes. */
const clearedFailures = [
  sql`${webhooks.failures} = 0`,
  sql`${webhooks.failing_since} = NULL`,
  sql`${webhooks.warned} = 0`,
  sql`${webhooks.next_attempt_at} = NULL`,
];

export function updateWebhook(
  caller: Caller,
  id: number,
  changes: { [K in keyof WebhookDraft]?: WebhookDraft[K] | undefined },
  status: 'active' | 'paused' | undefined,
  now: number,
): Statement<void> {
  const { url, types, projectId, description, batch } = changes;
  const resetsFailures =
    status === 'active' || [url, types, projectId, batch].some((each) => each !== undefined);
  const set = [
    ...(url === undefined ? [] : [sql`${webhooks.url} = ${url}`]),
    ...(types === undefined ? [] : [sql`${webhooks.types} = ${types && JSON.stringify(types)}`]),
    ...(projectId === undefined ? [] : [sql`${webhooks.project} = ${projectId}`]),
    ...(description === undefined ? [] : [sql`${webhooks.description} = ${description}`]),
    ...(batch === undefined ? [] : [sql`${webhooks.batch} = ${batch ? 1 : 0}`]),
    ...(status === undefined
      ? []
      : [sql`${webhooks.status} = ${status}`, sql`${webhooks.stop_reason} = NULL`]),
    ...(status === 'active' ? [sql`${webhooks.credential} = ${selectUsableCredential(caller, now)}`] : []),
    ...(resetsFailures ? clearedFailures : []),
  ];
  return write(
    sql`UPDATE ${webhooks} SET ${sql.join(set, sql`, `)} WHERE ${webhooks.ws} = ${caller.workspace} AND ${webhooks.id} = ${id}`,
  );
}

/**
 * If the webhook's credential is expired or revoked, or lacks a scope, selects the credential of the caller who
 * restarts the webhook.
 */
function selectUsableCredential(caller: Caller, now: number): SQL {
  return sql`CASE WHEN ${webhooks.credential} IS NULL OR EXISTS (
    SELECT 1 FROM ${c} WHERE ${c.id} = ${webhookTable.credential} AND ${c.revoked_at} IS NULL
      AND (${c.expires_at} IS NULL OR ${c.expires_at} > ${now}) AND ${hasWebhookScopes})
    THEN ${webhooks.credential} ELSE ${selectCallerCredential(caller)} END`;
}

/** An API key without stored scopes has all scopes. */
const hasWebhookScopes = sql`((${c.kind} = 'api_key' AND ${c.scopes} = '') OR (${sql.join(
  webhookScopes.map((scope) => sql`instr(' ' || ${c.scopes} || ' ', ${` ${scope} `}) > 0`),
  sql` AND `,
)}))`;

const deleteDeliveries = prepared.write((caller: Argument<Caller>, id: Argument<number>) =>
  query
    .delete(webhookDeliveries)
    .where(and(eq(webhookDeliveries.ws, caller.workspace), eq(webhookDeliveries.webhook, id))),
);

const deleteWebhookRow = prepared.write((caller: Argument<Caller>, id: Argument<number>) =>
  query.delete(webhooks).where(isWebhook(caller, id)),
);

export function deleteWebhook(caller: Caller, id: number): Statement<void>[] {
  return [deleteDeliveries(caller, id), deleteWebhookRow(caller, id)];
}

/** Compares only the settings, because deliveries change the counters. */
export const assertWebhook = prepared.assertUnchanged(
  (caller: Argument<Caller>, read: Argument<WebhookRow>) =>
    hasRow(
      webhooks,
      and(
        isWebhook(caller, read.id),
        eq(webhooks.url, read.url),
        sql`${webhooks.types} IS ${read.types}`,
        sql`${webhooks.project} IS ${read.project_id}`,
        sql`${webhooks.description} IS ${read.description}`,
        eq(webhooks.batch, read.batch),
        eq(webhooks.status, read.status),
      ),
    ),
);

/** Messages are also signed with the replaced secret until `previousUntil`. Two earlier secrets keep their expiry. */
export const replaceSecret = prepared.write(
  (
    caller: Argument<Caller>,
    id: Argument<number>,
    secret: Argument<string>,
    previousUntil: Argument<number>,
  ) =>
    query
      .update(webhooks)
      .set({
        older_secrets: sql`json_array(
          json_object('secret', ${webhooks.previous_secret}, 'until', ${webhooks.previous_until}),
          json(json_extract(${webhooks.older_secrets}, '$[0]')))`,
        previous_secret: webhooks.secret,
        previous_until: previousUntil,
        secret,
      })
      .where(isWebhook(caller, id)),
);

export const rewindWebhook = prepared.write(
  (caller: Argument<Caller>, id: Argument<number>, after: Argument<number>) =>
    query
      .update(webhooks)
      .set({ cursor: after, delivered: null, next_attempt_at: null })
      .where(isWebhook(caller, id)),
);
