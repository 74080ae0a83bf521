import { type Route, route } from '../../kernel/http/route.ts';
import { listWebhookDeliveries, replayWebhook, rotateWebhookSecret, testWebhook } from './webhook-calls.ts';
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './webhooks.ts';

export const webhookRoutes: readonly Route[] = [
  route('GET', '/webhooks', listWebhooks),
  route('POST', '/webhooks', createWebhook, { status: 201 }),
  route('GET', '/webhooks/:id', getWebhook),
  route('PATCH', '/webhooks/:id', updateWebhook),
  route('DELETE', '/webhooks/:id', deleteWebhook),
  route('POST', '/webhooks/:id/rotate-secret', rotateWebhookSecret),
  route('POST', '/webhooks/:id/test', testWebhook),
  route('POST', '/webhooks/:id/replay', replayWebhook),
  route('GET', '/webhooks/:id/deliveries', listWebhookDeliveries),
];
