import * as z from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import type { Route } from '../http/route.ts';

const messageHeaders = z.object({
  'webhook-id': z.string().meta({
    description:
      "The event's id, or the batch's id if events are sent in batches. The same for every attempt.",
    example: 'evt_5TbQm_812',
  }),
  'webhook-timestamp': z.string().meta({
    description:
      'The time of this attempt, in seconds since the epoch. Reject messages older than 5 minutes.',
    example: '1772443800',
  }),
  'webhook-signature': z.string().meta({
    description:
      'For each secret, `v1,` followed by the base64 HMAC-SHA256 of the id, timestamp and body, joined by dots. Several signatures are separated by spaces.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

export function describeWebhookMessages(routes: readonly Route[]): ZodOpenApiPathsObject {
  const sent = routes.flatMap(({ operation }) => Object.entries(operation.sends ?? {}));
  return Object.fromEntries(
    sent.map(([name, { summary, body }]) => [
      name,
      {
        post: {
          operationId: name,
          summary,
          tags: ['webhooks'],
          security: [],
          requestParams: { header: messageHeaders },
          requestBody: { required: true, content: { 'application/json': { schema: body } } },
          responses: {
            '2XX': { description: 'Confirms that you received the message. The next message follows.' },
            '410': { description: 'Stops the webhook immediately.' },
            default: {
              description:
                'Any other response, including a redirect, is a failed attempt. Retry-After is respected.',
            },
          },
        },
      },
    ]),
  );
}
