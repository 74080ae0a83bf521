import { defineRoute, type Route } from '../../kernel/http/route.ts';
import { listWebhookDeliveries, replayWebhook, rotateWebhookSecret, testWebhook } from './webhook-calls.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

export const webhookRoutes: readonly Route[] = [
  defineRoute('GET', '/webhooks', listWebhooks),
  defineRoute('POST', '/webhooks', createWebhook, { status: 201 }),
  defineRoute('GET', '/webhooks/:id', getWebhook),
  defineRoute('PATCH', '/webhooks/:id', updateWebhook),
  defineRoute('DELETE', '/webhooks/:id', deleteWebhook),
  defineRoute('POST', '/webhooks/:id/rotate-secret', rotateWebhookSecret),
  defineRoute('POST', '/webhooks/:id/test', testWebhook),
  defineRoute('POST', '/webhooks/:id/replay', replayWebhook),
  defineRoute('GET', '/webhooks/:id/deliveries', listWebhookDeliveries),
];
