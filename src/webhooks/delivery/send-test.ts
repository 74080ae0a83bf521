import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { WebhookSenderRow } from './delivery.queries.ts';
import { composeTestMessage, type WebhookMessage } from './message.ts';
import { type DeliveryAttempt, sendMessage } from './send-message.ts';
import { openSigningSecrets } from './signing-secrets.ts';

export async function sendTest(
  scope: RequestScope,
  workspaceId: string,
  sender: WebhookSenderRow,
): Promise<{ message: WebhookMessage; attempt: DeliveryAttempt } | null> {
  const secrets = await openSigningSecrets(scope, workspaceId, sender);
  if (!secrets) return null;
  const message = composeTestMessage(sender.id, scope.now);
  const signed = { ...message, timestamp: Math.floor(scope.now / 1000) };
  return { message, attempt: await sendMessage(sender.url, secrets, signed) };
}
