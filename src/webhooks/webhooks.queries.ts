import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import type { Reach } from '../kernel/capabilities.ts';
import {
  assertUnchanged,
  firstRow,
  number,
  queryBuilder,
  row,
  rows,
  type Statement,
  write,
} from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { projectVisible } from '../visibility/project-visibility.queries.ts';
import type { StopReason } from '../webhook-delivery/stop-reasons.ts';
import { WEBHOOKS_MAX } from './webhooks.schema.ts';
import { webhooks } from './webhooks.sql.ts';

export interface WebhookRow {
  id: number;
  member: number;
  url: string;
  description: string | null;
  /** JSON array. */
  types: string | null;
  projectId: number | null;
  projectName: string | null;
  batch: 0 | 1;
  status: 'active' | 'paused' | 'stopped';
  stopReason: StopReason | null;
  cursor: number;
  failures: number;
  failingSince: number | null;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  previousUntil: number | null;
  madeWith: 'session' | 'api_key' | 'oauth';
  creatorId: string;
  creatorName: string;
  creatorEmail: string;
  createdAt: number;
}

/** What a caller names of a webhook. */
export interface WebhookDraft {
  url: string;
  types: readonly string[] | null;
  projectId: number | null;
  description: string | null;
  batch: boolean;
}

const columns = sql`
  h.id AS id, h.member AS member, h.url AS url, h.description AS description, h.types AS types, h.project AS projectId,
  p.name AS projectName, h.batch AS batch, h.status AS status, h.stop_reason AS stopReason, h.cursor AS cursor,
  h.failures AS failures, h.failing_since AS failingSince, h.next_attempt_at AS nextAttemptAt,
  h.delivered_at AS deliveredAt, h.previous_until AS previousUntil,
  CASE WHEN h.credential IS NULL THEN 'session' ELSE coalesce(c.kind, 'api_key') END AS madeWith,
  m.user_id AS creatorId, m.name AS creatorName, m.email AS creatorEmail, h.created_at AS createdAt`;
const relations = sql`
  CROSS JOIN members m ON m.no = h.member
  LEFT JOIN projects p ON p.id = h.project AND p.ws = h.ws
  LEFT JOIN credentials c ON c.id = h.credential`;

/** The webhooks that a role sees: `all` of the workspace, its `own`, or `none`. */
function seen({ workspace, member }: Caller, reach: Reach): SQL {
  const inWorkspace = sql`h.ws = ${workspace}`;
  if (reach === 'all') return inWorkspace;
  return reach === 'own' ? sql`${inWorkspace} AND h.member = ${member}` : sql`${inWorkspace} AND 0`;
}

export function listWebhooks(caller: Caller, reach: Reach, range: Range): Statement<WebhookRow[]> {
  return rows<WebhookRow>(sql`
    SELECT ${columns} FROM (
      SELECT h.* FROM webhooks h
      WHERE ${seen(caller, reach)} AND ${isAfter(range, [{ column: sql`h.id`, isDescending: true }])}
      ORDER BY h.id DESC ${limitOf(range)}) h ${relations}
    ORDER BY h.id DESC`);
}

export function countWebhooks(caller: Caller, reach: Reach): Statement<number> {
  return number(sql`SELECT count(*) AS n FROM webhooks h WHERE ${seen(caller, reach)}`);
}

export function findWebhook(caller: Caller, reach: Reach, id: number): Statement<WebhookRow | null> {
  return firstRow<WebhookRow>(
    sql`SELECT ${columns} FROM webhooks h ${relations} WHERE ${seen(caller, reach)} AND h.id = ${id}`,
  );
}

/** The webhook that the same batch made. */
export function findNewest(caller: Caller): Statement<WebhookRow> {
  return row<WebhookRow>(sql`
    SELECT ${columns} FROM webhooks h ${relations} WHERE h.ws = ${caller.workspace} AND h.id = ${newestWebhook}`);
}

/** Id of the webhook that the same batch made. */
const newestWebhook = sql`(SELECT max(id) FROM webhooks)`;

/** How many the workspace has in all, for the limit. */
export function countAll({ workspace }: Caller): Statement<number> {
  return number(sql`SELECT count(*) AS n FROM webhooks h WHERE h.ws = ${workspace}`);
}

/** Whether the caller sees the project; a webhook may name no other. */
export function countProject(caller: Caller, id: number): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM projects p
    WHERE p.ws = ${caller.workspace} AND p.id = ${id} AND ${projectVisible(caller, sql`p.id`)}`);
}

/** The credential of the caller; null for a session, which is stored nowhere. */
function credentialOf({ workspace, credential }: Caller): SQL {
  if (credential.kind === 'session') return sql`NULL`;
  return sql`(SELECT c.id FROM credentials c WHERE c.hash = ${credential.hash} AND c.ws = ${workspace})`;
}

/** Begins at the newest event. Undoes the batch if the workspace has as many as it may have. */
export function insertWebhook(
  caller: Caller,
  draft: WebhookDraft,
  secret: string,
  now: number,
): Statement<void>[] {
  const { url, types, projectId, description, batch } = draft;
  const { workspace } = caller;
  return [
    assertUnchanged(sql`(SELECT count(*) FROM webhooks h WHERE h.ws = ${workspace}) < ${WEBHOOKS_MAX}`),
    write(
      queryBuilder.insert(webhooks).values({
        ws: workspace,
        member: caller.member,
        credential: credentialOf(caller),
        url,
        description,
        types: types && JSON.stringify(types),
        project: projectId,
        batch: batch ? 1 : 0,
        secret,
        cursor: sql`coalesce((SELECT max(e.seq) FROM events e WHERE e.ws = ${workspace}), 0)`,
        created_at: now,
      }),
    ),
  ];
}

function one({ workspace }: Caller, id: number): SQL {
  return sql`ws = ${workspace} AND id = ${id}`;
}

/** Where a webhook is started or sends something else, its failures count from the beginning. */
const afresh = [sql`failures = 0`, sql`failing_since = NULL`, sql`warned = 0`, sql`next_attempt_at = NULL`];

export function updateWebhook(
  caller: Caller,
  id: number,
  changes: { [K in keyof WebhookDraft]?: WebhookDraft[K] | undefined },
  status: 'active' | 'paused' | undefined,
  now: number,
): Statement<void> {
  const { url, types, projectId, description, batch } = changes;
  const startsAfresh =
    status === 'active' || [url, types, projectId, batch].some((each) => each !== undefined);
  const set = [
    ...(url === undefined ? [] : [sql`url = ${url}`]),
    ...(types === undefined ? [] : [sql`types = ${types && JSON.stringify(types)}`]),
    ...(projectId === undefined ? [] : [sql`project = ${projectId}`]),
    ...(description === undefined ? [] : [sql`description = ${description}`]),
    ...(batch === undefined ? [] : [sql`batch = ${batch ? 1 : 0}`]),
    ...(status === undefined ? [] : [sql`status = ${status}`, sql`stop_reason = NULL`]),
    ...(status === 'active' ? [sql`credential = ${revived(caller, now)}`] : []),
    ...(startsAfresh ? afresh : []),
  ];
  return write(sql`UPDATE webhooks SET ${sql.join(set, sql`, `)} WHERE ${one(caller, id)}`);
}

/** A webhook whose credential has ended goes on with the one that starts it again. */
function revived(caller: Caller, now: number): SQL {
  return sql`CASE WHEN credential IS NULL OR EXISTS (
    SELECT 1 FROM credentials c WHERE c.id = webhooks.credential AND c.revoked_at IS NULL
      AND (c.expires_at IS NULL OR c.expires_at > ${now}))
    THEN credential ELSE ${credentialOf(caller)} END`;
}

export function deleteWebhook(caller: Caller, id: number): Statement<void>[] {
  const { workspace } = caller;
  return [
    write(sql`DELETE FROM webhook_deliveries WHERE ws = ${workspace} AND webhook = ${id}`),
    write(sql`DELETE FROM webhooks WHERE ${one(caller, id)}`),
  ];
}

/** The secret until now goes on signing until `previousUntil`. */
export function replaceSecret(
  caller: Caller,
  id: number,
  secret: string,
  previousUntil: number,
): Statement<void> {
  return write(sql`
    UPDATE webhooks SET previous_secret = secret, previous_until = ${previousUntil}, secret = ${secret}
    WHERE ${one(caller, id)}`);
}

/** Sends the webhook back: it has got nothing after `after`. */
export function moveBack(caller: Caller, id: number, after: number): Statement<void> {
  return write(sql`
    UPDATE webhooks SET cursor = ${after}, delivered = NULL, next_attempt_at = NULL WHERE ${one(caller, id)}`);
}

export interface DeliveryRow {
  no: number;
  message: string;
  firstSeq: number | null;
  lastSeq: number | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  ms: number;
  attemptedAt: number;
}

const deliveryColumns = sql`
  d.no AS no, d.message AS message, d.first_seq AS firstSeq, d.last_seq AS lastSeq, d.status AS status, d.error AS error,
  d.answer AS answer, d.ms AS ms, d.attempted_at AS attemptedAt`;

export function listDeliveries({ workspace }: Caller, id: number, range: Range): Statement<DeliveryRow[]> {
  return rows<DeliveryRow>(sql`
    SELECT ${deliveryColumns} FROM webhook_deliveries d
    WHERE d.ws = ${workspace} AND d.webhook = ${id} AND ${isAfter(range, [{ column: sql`d.no`, isDescending: true }])}
    ORDER BY d.no DESC ${limitOf(range)}`);
}

export function countDeliveries({ workspace }: Caller, id: number): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM webhook_deliveries d WHERE d.ws = ${workspace} AND d.webhook = ${id}`);
}

export function findLastTest({ workspace }: Caller, id: number): Statement<DeliveryRow | null> {
  return firstRow<DeliveryRow>(sql`
    SELECT ${deliveryColumns} FROM webhook_deliveries d
    WHERE d.ws = ${workspace} AND d.webhook = ${id} AND d.first_seq IS NULL ORDER BY d.no DESC LIMIT 1`);
}
