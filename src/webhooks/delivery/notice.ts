import type { Caller, OAuthScope } from '../../kernel/access/access.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { webhookMail, webhookScopeMail } from '../../mail/templates.ts';
import { queueMail } from './notice.queries.ts';

interface Trouble {
  id: number;
  url: string;
  /** Whether it stopped; else it will a day later. */
  hasEnded: boolean;
  error: string;
}

/** Tells whoever made the webhook that nobody takes what it sends. */
export async function tellCreator(scope: RequestScope, creator: Caller, trouble: Trouble): Promise<void> {
  const mail = webhookMail({ ...trouble, name: creator.name });
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
