import type { Caller, OAuthScope } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { buildWebhookFailureMail, buildWebhookScopeMail } from '../../mail/templates.ts';
import { queueMailToAddress } from './creator-mail.queries.ts';

interface DeliveryFailure {
  id: number;
  url: string;
  hasEnded: boolean;
  error: string;
}

export async function mailDeliveryFailure(
  scope: RequestScope,
  creator: Caller,
  failure: DeliveryFailure,
): Promise<void> {
  const mail = buildWebhookFailureMail({ ...failure, name: creator.name });
  await scope.directory.batch([queueMailToAddress(creator.email, mail, scope.now)]);
}

export async function mailMissingScopes(
  scope: RequestScope,
  creator: Caller,
  webhook: { id: number; url: string; missing: readonly OAuthScope[] },
): Promise<void> {
  const mail = buildWebhookScopeMail({ ...webhook, name: creator.name });
  await scope.directory.batch([queueMailToAddress(creator.email, mail, scope.now)]);
}
