import * as z from 'zod';
import type { Reach } from '../kernel/access/capabilities.ts';
import { recordAuditEntry } from '../kernel/audit/record-audit.queries.ts';
import { toInstantRange } from '../kernel/dates/instant-range.ts';
import { forbiddenError, invalidRequestError } from '../kernel/errors/errors.ts';
import { buildPage, toRange } from '../kernel/lists/pagination.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { successOutput, successReplay, toTimestamp } from '../kernel/operation/schema.ts';
import { type AuditRow, listAuditEntries as selectAuditEntries } from './audit.queries.ts';
import { type AuditEntry, auditListInput, auditPage } from './audit.schema.ts';

export const listAuditEntries = defineOperation(
  {
    name: 'listAuditEntries',
    summary: 'List the entries of the audit log, newest first',
    description:
      "Lists sign-ins, exports and deletions, and changes to credentials, roles, invitations and webhooks, for the last 180 days. For owners and admins only. Doesn't return a total.",
    access: 'audit:read',
    capability: 'readAudit',
    effect: 'read',
    input: auditListInput,
    output: auditPage,
  },
  async ({ db, caller, reach }, { actorId, type, from, to, ...input }) => {
    requireAuditAccess(reach);
    if (from !== undefined && to !== undefined && from > to) {
      throw invalidRequestError(
        ({ field }) => `${field('from')} must not be after ${field('to')}; got '${from}' and '${to}'.`,
      );
    }
    const range = toRange({ ...input, offset: 0 }, 2);
    const days = toInstantRange({ from, to }, caller.timezone);
    const [rows] = await db.batch([selectAuditEntries(caller, { actorId, type, ...days }, range)]);
    // The schema leaves out the total, because counting would read every entry.
    return buildPage({ range, total: 0, rows, key: (row) => [row.occurred_at, row.id], show: toAuditEntry });
  },
);

export const recordExport = defineOperation(
  {
    name: 'recordExport',
    summary: 'Record a CSV download',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({ file: z.string().max(100).meta({ example: 'tasks.csv' }) }),
    output: successOutput,
    replay: successReplay,
    audits: ['export.downloaded'],
  },
  async (ctx, { file }) => {
    await ctx.db.batch([recordAuditEntry(ctx, { type: 'export.downloaded', subject: { name: file } })]);
    return { success: true as const };
  },
);

function requireAuditAccess(reach: Reach) {
  if (reach !== 'all') {
    throw forbiddenError('Only owners and admins can read the audit log. Ask one of them.');
  }
}

function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    type: row.type,
    occurredAt: toTimestamp(row.occurred_at),
    actor: toPerson(row.actor_id, row.actor_name, row.actor_email),
    credential: { kind: row.credential_kind, name: row.credential_name },
    ipAddress: row.ip,
    userAgent: row.user_agent,
    person: toPerson(row.person_id, row.person_name, row.person_email),
    subject: row.subject_name === null ? null : { id: row.subject_id, name: row.subject_name },
    details: JSON.parse(row.details) as AuditEntry['details'],
  };
}

function toPerson(id: string | null, name: string | null, email: string | null) {
  return id === null ? null : { id, name: name ?? '', email: email ?? '' };
}
