import * as z from 'zod';
import { auditCredentialKinds, auditTypeNames } from '../kernel/audit/audit-types.ts';
import { PAGE_LIMIT_MAX, pageInput } from '../kernel/lists/pagination.ts';
import { examplePerson, exampleUserId } from '../kernel/operation/examples.ts';
import {
  buildAsciiTextSchema,
  buildPlainTextSchema,
  civilDate,
  integerId,
  jsonByteLimits,
  timestamp,
} from '../kernel/operation/schema.ts';
import { personId, personSummary } from '../tasks/summaries/summaries.schema.ts';

const details = z.record(z.string(), z.string()).meta({
  description: 'What changed, such as `{"from": "member", "to": "admin"}`. The keys depend on `type`.',
});
jsonByteLimits.add(details, { bytes: 2_048 });

export const auditEntry = z
  .object({
    id: integerId,
    type: z.enum(auditTypeNames),
    occurredAt: timestamp,
    actor: personSummary.nullable().meta({
      description:
        'The person who acted. For a failed sign-in, the person whose email address was entered. Null if Edgework or its operator acted.',
    }),
    credential: z.object({
      kind: z.enum(auditCredentialKinds),
      name: buildPlainTextSchema(200).nullable().meta({ description: 'The name of the API key or app.' }),
    }),
    ipAddress: buildAsciiTextSchema(45).nullable(),
    userAgent: buildAsciiTextSchema(80)
      .nullable()
      .meta({ description: 'The browser or program, such as `Firefox on Windows`.' }),
    person: personSummary.nullable().meta({ description: 'The person affected, unless they are the actor.' }),
    subject: z
      .object({
        id: buildAsciiTextSchema(100).nullable(),
        name: z.string().max(2_048).meta({ description: "The item's name when the entry was recorded." }),
      })
      .nullable()
      .meta({ description: 'The item affected, such as a key, a project or a webhook.' }),
    details,
  })
  .meta({
    id: 'AuditEntry',
    example: {
      id: 4021,
      type: 'member.role_changed',
      occurredAt: '2026-03-02T09:30:00.000Z',
      actor: examplePerson,
      credential: { kind: 'browser', name: null },
      ipAddress: '203.0.113.7',
      userAgent: 'Firefox on Windows',
      person: { id: 'usr_7Hq2Lk', name: 'Jonas Weber', email: 'jonas@example.com' },
      subject: null,
      details: { from: 'member', to: 'admin' },
    },
  });
export type AuditEntry = z.input<typeof auditEntry>;

export const auditListInput = z.strictObject({
  actorId: personId
    .optional()
    .meta({ description: 'Only entries whose actor is this person.', example: exampleUserId }),
  type: z.enum(auditTypeNames).optional(),
  from: civilDate
    .optional()
    .meta({ description: "Only entries from this day or later, in the workspace's time zone." }),
  to: civilDate
    .optional()
    .meta({ description: "Only entries from this day or earlier, in the workspace's time zone." }),
  limit: pageInput.limit,
  cursor: pageInput.cursor.meta({ description: 'The cursor in the Link header of the previous page.' }),
});

export const auditPage = z
  .object({
    data: z.array(auditEntry).max(PAGE_LIMIT_MAX),
    meta: z.object({
      limit: z.int(),
      hasMore: z.boolean().meta({ description: 'Whether older entries follow this page.' }),
    }),
  })
  .meta({ id: 'AuditPage' });
