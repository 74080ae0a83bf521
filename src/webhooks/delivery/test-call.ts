import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { SenderRow } from './delivery.queries.ts';
import { composeTest, type Message } from './message.ts';
import { openSecrets } from './secrets.ts';
import { type Attempt, send } from './send.ts';

/** Sends a test message at once, outside of the order; null where the secret cannot be opened. */
export async function sendTest(
  scope: RequestScope,
  workspaceId: string,
  sender: SenderRow,
): Promise<{ message: Message; attempt: Attempt } | null> {
  const secrets = await openSecrets(scope, workspaceId, sender);
  if (!secrets) return null;
  const message = composeTest(sender.id, scope.now);
  const signed = { ...message, timestamp: Math.floor(scope.now / 1000) };
  return { message, attempt: await send(sender.url, secrets, signed) };
}
