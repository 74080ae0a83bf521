import * as z from 'zod';
import { eventTypePatterns } from '../../events/feed/events.schema.ts';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { buildAsciiTextSchema, integerId, timestamp } from '../../kernel/operation/schema.ts';
import { personSummary, projectName } from '../../tasks/summaries/summaries.schema.ts';
import { stopReasons } from '../delivery/stop-reasons.ts';

export const WEBHOOKS_MAX = 50;
const URL_CHARACTERS_MAX = 2048;
const DESCRIPTION_CHARACTERS_MAX = 200;
const RESPONSE_CHARACTERS_MAX = 1024;

const url = z.string().min(1).max(URL_CHARACTERS_MAX).meta({
  description: "An https URL on port 443 with a public host name. Redirects aren't followed.",
  example: 'https://hooks.example.com/edgework',
});
const types = z
  .array(z.enum(eventTypePatterns))
  .min(1)
  .max(eventTypePatterns.length)
  .meta({
    description: 'The event types to send. `task.*` means all task events. Null for all types.',
    example: ['task.*'],
  });
const projectId = integerId.meta({
  description: 'The project whose events are sent. Null for all projects.',
});
const description = z.string().max(DESCRIPTION_CHARACTERS_MAX).meta({ example: 'Sync tasks to the CRM' });
const batch = z.boolean().meta({
  description: 'Send up to 100 events per request, as `{events: […]}`, instead of one.',
});

const example = {
  id: 4,
  url: 'https://hooks.example.com/edgework',
  description: 'Sync tasks to the CRM',
  types: ['task.*'],
  project: { id: 7, name: 'Spring launch' },
  batch: false,
  status: 'active' as const,
  stopReason: null,
  cursor: 812,
  failures: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastDeliveredAt: '2026-03-02T09:30:00.000Z',
  previousSecretUntil: null,
  madeWith: 'api_key' as const,
  createdBy: examplePerson,
  createdAt: '2026-03-01T08:00:00.000Z',
};

export const webhook = z
  .object({
    id: integerId,
    url: buildAsciiTextSchema(URL_CHARACTERS_MAX),
    description: description.nullable(),
    types: types.nullable(),
    project: z.object({ id: integerId, name: projectName }).nullable(),
    batch,
    status: z.enum(['active', 'paused', 'stopped']).meta({
      description:
        '`stopReason` explains why a webhook stopped or was paused automatically. To restart the webhook, change its status to `active`.',
    }),
    stopReason: z.enum(stopReasons).nullable(),
    cursor: z.int().meta({ description: 'The `seq` of the last event that was sent or filtered out.' }),
    failures: z.int().meta({ description: 'Failed attempts since the last success.' }),
    failingSince: timestamp.nullable(),
    nextAttemptAt: timestamp.nullable(),
    lastDeliveredAt: timestamp.nullable(),
    previousSecretUntil: timestamp
      .nullable()
      .meta({ description: 'When messages stop being signed with the previous secret.' }),
    madeWith: z.enum(['session', 'api_key', 'oauth']).meta({
      description:
        'The kind of credential that created the webhook. The webhook sends only what that credential can see, and stops when the credential expires or is revoked.',
    }),
    createdBy: personSummary,
    createdAt: timestamp,
  })
  .meta({ id: 'Webhook', example });
export type Webhook = z.input<typeof webhook>;

const secret = buildAsciiTextSchema(60).meta({
  description: 'The secret for verifying signatures (Standard Webhooks). It is returned only once.',
});
const secretExample = { ...example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw…' };
export const webhookWithSecret = webhook
  .extend({ secret })
  .meta({ id: 'WebhookWithSecret', example: secretExample });
export const webhookPage = buildPageSchema(webhook).meta({ id: 'WebhookPage' });

export const webhookDelivery = z
  .object({
    id: integerId.meta({ description: 'Attempt number, counted separately for each webhook.' }),
    messageId: buildAsciiTextSchema(200).meta({
      description: 'The `webhook-id` header: the id of the event or batch. The same for every attempt.',
    }),
    firstSeq: z.int().nullable().meta({ description: 'The `seq` of the first event sent. Null for a test.' }),
    lastSeq: z.int().nullable(),
    status: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none.' }),
    error: buildAsciiTextSchema(200)
      .nullable()
      .meta({ description: 'Why the attempt failed. Null if it succeeded.' }),
    ms: z.int().meta({ description: 'Response time in milliseconds.' }),
    answer: z
      .string()
      .max(RESPONSE_CHARACTERS_MAX)
      .nullable()
      .meta({ description: 'The first KB of the response body; visible to owners and admins.' }),
    attemptedAt: timestamp,
  })
  .meta({
    id: 'WebhookDelivery',
    example: {
      id: 31,
      messageId: 'evt_5TbQm_812',
      firstSeq: 812,
      lastSeq: 812,
      status: 200,
      error: null,
      ms: 84,
      answer: 'ok',
      attemptedAt: '2026-03-02T09:30:00.000Z',
    },
  });
export const webhookDeliveryPage = buildPageSchema(webhookDelivery).meta({ id: 'WebhookDeliveryPage' });

export const listWebhooksInput = z.strictObject(pageInput);
export const webhookKeyInput = z.strictObject({ id: integerId });
export const createWebhookInput = z.strictObject({
  url,
  types: types.nullable().optional(),
  projectId: projectId.nullable().optional(),
  description: description.nullable().optional(),
  batch: batch.default(false),
});
export const updateWebhookInput = z.strictObject({
  id: integerId,
  url: url.optional(),
  types: types.nullable().optional(),
  projectId: projectId.nullable().optional(),
  description: description.nullable().optional(),
  batch: batch.optional(),
  status: z.enum(['active', 'paused']).optional().meta({
    description:
      'A paused webhook sends no events. If you set it to `active` again, it continues where it stopped, so no events are lost.',
  }),
});
export const replayWebhookInput = z.strictObject({
  id: integerId,
  after: z.int().min(0).meta({
    description: 'Only events with a higher `seq` are resent. 0 starts with the oldest stored event.',
    example: 700,
  }),
});
export const listDeliveriesInput = z.strictObject({ id: integerId, ...pageInput });
