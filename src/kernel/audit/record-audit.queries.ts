import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { credentials } from '../../schema/cell/credentials.ts';
import type { Caller } from '../access/access.ts';
import { describeUserAgent } from '../net/describe-user-agent.ts';
import { type Statement, write } from '../sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../sql/sql.ts';
import {
  type AuditCredentialKind,
  type AuditDetails,
  type AuditType,
  serializeAuditDetails,
} from './audit-types.ts';

const a = aliasTable(auditEntries, 'a');
const c = aliasTable(credentials, 'c');

const IP_CHARACTERS_MAX = 45;

export const auditColumns = [
  'ws',
  'type',
  'actor',
  'credential_kind',
  'credential_name',
  'ip',
  'user_agent',
  'member',
  'subject_id',
  'subject_name',
  'details',
  'source',
  'occurred_at',
] as const;
const auditInsertColumns = nameInsertColumns(auditEntries, ...auditColumns);

export interface AuditEntryDraft {
  readonly type: AuditType;
  readonly member?: number | SQL;
  readonly subject?: { readonly id?: number | string | SQL; readonly name?: string | SQL };
  readonly details?: AuditDetails;
}

interface RequestSource {
  readonly clientIp: string;
  readonly userAgent: string;
}

export interface AuditContext {
  readonly caller: Pick<Caller, 'workspace' | 'member' | 'credential'>;
  readonly request: RequestSource;
  readonly now: number;
}

/** Who or what caused an entry. Sign-ins and automatic changes have no caller to derive the author from. */
export interface AuditAuthor {
  readonly ws: number | SQL;
  readonly actor: number | SQL | null;
  readonly kind: AuditCredentialKind;
  readonly credentialName?: string | SQL;
  readonly from: { readonly ip: string | null; readonly userAgent: string | null };
  readonly now: number;
}

/** Must be in the same batch as the change that the entry records. */
export function recordAuditEntry(ctx: AuditContext, draft: AuditEntryDraft, when?: SQL): Statement<void> {
  const { caller, request, now } = ctx;
  const { kind, hash } = caller.credential;
  return recordAuditEntryBy(
    {
      ws: caller.workspace,
      actor: caller.member,
      kind: getAuditCredentialKind(caller.credential),
      ...(kind !== 'session' && {
        credentialName: sql`(SELECT ${c.name} FROM ${c} WHERE ${c.hash} = ${hash})`,
      }),
      from: describeRequestSource(request),
      now,
    },
    draft,
    when,
  );
}

export function getAuditCredentialKind({
  kind,
  signedInAt,
}: Pick<Caller['credential'], 'kind' | 'signedInAt'>): AuditCredentialKind {
  if (kind !== 'session') return kind;
  return signedInAt === null ? 'browser' : 'session_token';
}

/** `when` can read rows only in subqueries, because the SELECT has no FROM clause. */
export function recordAuditEntryBy(
  author: AuditAuthor,
  draft: AuditEntryDraft,
  when = sql`true`,
): Statement<void> {
  const { ws, actor, kind, credentialName, from, now } = author;
  const { type, member, subject, details = {} } = draft;
  return write(sql`
    INSERT INTO ${auditInsertColumns}
    SELECT ${ws}, ${type}, ${actor}, ${kind}, ${credentialName ?? null}, ${from.ip}, ${from.userAgent},
      ${member ?? null}, ${subject?.id ?? null}, ${subject?.name ?? null}, ${serializeAuditDetails(details)}, NULL, ${now}
    WHERE ${when}`);
}

/** Use it as the condition of an entry that shouldn't be repeated. */
export function hasNoEntrySince(
  { ws, actor }: Pick<AuditAuthor, 'ws' | 'actor'>,
  { type, subject }: Pick<AuditEntryDraft, 'type' | 'subject'>,
  since: number,
): SQL {
  return sql`NOT EXISTS (
    SELECT 1 FROM ${a} WHERE ${a.ws} = ${ws} AND ${a.actor} = ${actor} AND ${a.type} = ${type}
      AND ${a.occurred_at} > ${since} AND ${a.subject_id} = ${subject?.id ?? null})`;
}

export const serviceSource = { ip: null, userAgent: null } as const;

export function describeRequestSource({ clientIp, userAgent }: RequestSource) {
  return {
    ip: clientIp === 'unknown' ? null : clientIp.slice(0, IP_CHARACTERS_MAX),
    userAgent: describeUserAgent(userAgent),
  };
}
