import * as z from 'zod';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import {
  listWebhookDeliveries,
  replayWebhook,
  rotateWebhookSecret,
  testWebhook,
} from '../../../webhooks/operations/webhook-calls.ts';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from '../../../webhooks/operations/webhooks.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { WebhookView } from './webhook.view.tsx';
import { WebhooksView } from './webhooks.view.tsx';

const WEBHOOKS_SHOWN_MAX = 50;
const DELIVERIES_SHOWN_MAX = 20;

export const webhooksParams = z.object({ offset: z.int().min(0).default(0) });
export const webhooksReads = { webhooks: listWebhooks, projects: listProjectChoices };

export const webhooksPage = definePage({
  name: 'webhooks',
  path: '/webhooks',
  title: () => 'Webhooks',
  params: webhooksParams,
  reads: webhooksReads,
  inputs: ({ offset }) => ({
    webhooks: { limit: WEBHOOKS_SHOWN_MAX, offset },
    projects: {},
  }),
  view: WebhooksView,
});

export const webhookParams = z.object({ id: z.int(), offset: z.int().min(0).default(0) });
export const webhookReads = {
  webhook: getWebhook,
  deliveries: listWebhookDeliveries,
  projects: listProjectChoices,
};

export const webhookPage = definePage({
  name: 'webhook',
  path: '/webhooks/:id',
  title: () => 'Webhook',
  params: webhookParams,
  reads: webhookReads,
  inputs: ({ id, offset }) => ({
    webhook: { id },
    deliveries: { id, limit: DELIVERIES_SHOWN_MAX, offset },
    projects: {},
  }),
  view: WebhookView,
});

export const createWebhookForm = defineForm({
  name: 'newWebhook',
  path: '/webhooks',
  operation: createWebhook,
  secret: ({ secret }) => secret,
});
export const updateWebhookForm = defineForm({
  name: 'changeWebhook',
  path: '/webhooks/:id',
  operation: updateWebhook,
});
export const deleteWebhookForm = defineForm({
  name: 'removeWebhook',
  path: '/webhooks/:id/remove',
  operation: deleteWebhook,
  redirectTo: (_output, { base }) => `${base}/webhooks`,
  removal: 'asked',
  flash: () => ({ text: 'Webhook deleted' }),
});
export const testWebhookForm = defineForm({
  name: 'tryWebhook',
  path: '/webhooks/:id/test',
  operation: testWebhook,
});
export const redeliverForm = defineForm({
  name: 'sendAgain',
  path: '/webhooks/:id/replay',
  operation: replayWebhook,
});
export const rotateSecretForm = defineForm({
  name: 'newSecret',
  path: '/webhooks/:id/secret',
  operation: rotateWebhookSecret,
  secret: ({ secret }) => secret,
});
