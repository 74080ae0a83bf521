import { lacksPlan } from '../credentials/authenticate.ts';
import { loadStanding } from '../credentials/load-caller.ts';
import type { Caller } from '../kernel/access.ts';
import { reachOf } from '../kernel/capabilities.ts';
import type { RequestScope } from '../kernel/request-scope.ts';
import type { Place, SenderRow } from './delivery.queries.ts';

/** Whoever made the webhook, as its credential stands now; null where that may have no webhook any more. */
export async function findCreator(
  scope: RequestScope,
  { cell, workspace }: Place,
  { member, credential }: Pick<SenderRow, 'member' | 'credential'>,
): Promise<Caller | null> {
  const creator = await loadStanding(scope, cell, { workspace, member, credential });
  if (!creator?.scopes.includes('webhooks:write') || lacksPlan(scope, creator)) return null;
  return reachOf(creator, 'manageWebhooks') === 'none' ? null : creator;
}
