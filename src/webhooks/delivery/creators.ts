import { lacksRequiredPlan } from '../../accounts/credentials/authenticate.ts';
import { loadWebhookCreator } from '../../accounts/credentials/load-caller.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { WebhookSenderRow, WorkspaceKey } from './delivery.queries.ts';

type CreatorKey = Pick<WebhookSenderRow, 'member' | 'credential'>;

/** Caches the creators of webhooks. The transaction that reads events checks that a cached creator still has access. */
export class CreatorCache {
  readonly #known = new Map<string, Caller>();

  async find(scope: RequestScope, workspaceKey: WorkspaceKey, key: CreatorKey): Promise<Caller | null> {
    const known = this.#known.get(toCreatorKey(key));
    if (known) return known;
    const found = await loadCreator(scope, workspaceKey, key);
    if (found) this.#known.set(toCreatorKey(key), found);
    return found;
  }

  /** Must be called before every run, because the transaction that reads events doesn't check scopes, for example. */
  forgetAll() {
    this.#known.clear();
  }

  forget(key: CreatorKey) {
    this.#known.delete(toCreatorKey(key));
  }
}

const toCreatorKey = ({ member, credential }: CreatorKey) => `${member} ${credential ?? 'session'}`;

async function loadCreator(
  scope: RequestScope,
  { cell, workspace }: WorkspaceKey,
  { member, credential }: CreatorKey,
): Promise<Caller | null> {
  const creator = await loadWebhookCreator(scope, cell, { workspace, member, credential });
  if (!creator || lacksRequiredPlan(scope, creator)) return null;
  return getReach(creator, 'manageWebhooks') === 'none' ? null : creator;
}
