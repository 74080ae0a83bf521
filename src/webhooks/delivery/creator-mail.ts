import type { Caller, OAuthScope } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { webhookMail, webhookScopeMail } from '../../mail/templates.ts';
import { queueMail } from './creator-mail.queries.ts';

interface DeliveryFailure {
  id: number;
  url: string;
  /** True once the webhook has stopped; false while it has a day left. */
  hasEnded: boolean;
  error: string;
}

/** Mails the creator of a webhook whose receiver keeps failing. */
export async function mailFailure(
  scope: RequestScope,
  creator: Caller,
  failure: DeliveryFailure,
): Promise<void> {
  const mail = webhookMail({ ...failure, name: creator.name });
  await scope.directory.batch([queueMail(creator.email, mail, scope.now)]);
}

/** Mails the creator of a webhook that was paused because its credential lacks scopes. */
export async function mailMissingScopes(
  scope: RequestScope,
  creator: Caller,
  webhook: { id: number; url: string; missing: readonly OAuthScope[] },
): Promise<void> {
  const mail = webhookScopeMail({ ...webhook, name: creator.name });
  await scope.directory.batch([queueMail(creator.email, mail, scope.now)]);
}
