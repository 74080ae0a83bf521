import type { Caller, OAuthScope } from '../../kernel/access/access.ts';
import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { buildWebhookFailureMail, buildWebhookScopeMail } from '../../mail/templates.ts';
import { findAccountablePerson } from '../../workspaces/accountable/accountable.queries.ts';
import { queueMailToAddress } from './creator-mail.queries.ts';

interface DeliveryFailure {
  id: number;
  url: string;
  hasEnded: boolean;
  error: string;
}

export async function queueDeliveryFailureMail(
  scope: RequestScope,
  creator: Caller,
  failure: DeliveryFailure,
): Promise<void> {
  const to = await findRecipient(scope, creator);
  const mail = buildWebhookFailureMail({ ...failure, name: to.name });
  await scope.directory.batch([queueMailToAddress(to.email, mail, scope.now)]);
}

export async function queueMissingScopesMail(
  scope: RequestScope,
  creator: Caller,
  webhook: { id: number; url: string; missing: readonly OAuthScope[] },
): Promise<void> {
  const to = await findRecipient(scope, creator);
  const mail = buildWebhookScopeMail({ ...webhook, name: to.name });
  await scope.directory.batch([queueMailToAddress(to.email, mail, scope.now)]);
}

/** Bots have no address, so email for a bot goes to the person accountable for it. */
async function findRecipient(scope: RequestScope, creator: Caller): Promise<{ name: string; email: string }> {
  if (!isBotId(creator.userId)) return creator;
  const [person] = await scope
    .cell(creator.cell)
    .batch([findAccountablePerson(creator.workspace, creator.member)]);
  return person ?? creator;
}
