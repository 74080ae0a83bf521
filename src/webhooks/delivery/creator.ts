import { lacksPlan } from '../../accounts/credentials/authenticate.ts';
import { loadStanding } from '../../accounts/credentials/load-caller.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { reachOf } from '../../kernel/access/capabilities.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import type { Place, SenderRow } from './delivery.queries.ts';

type Made = Pick<SenderRow, 'member' | 'credential'>;

/** Whoever made webhooks of a workspace. What is known of them is checked in the transaction of every look. */
export class Creators {
  readonly #known = new Map<string, Caller>();

  /** Whoever made the webhook, as its credential stands; null where that may have no webhook any more. */
  async find(scope: RequestScope, place: Place, made: Made): Promise<Caller | null> {
    const known = this.#known.get(keyOf(made));
    if (known) return known;
    const found = await load(scope, place, made);
    if (found) this.#known.set(keyOf(made), found);
    return found;
  }

  /** What the guard does not check, such as the scopes of a key, is loaded anew by every run. */
  forgetAll() {
    this.#known.clear();
  }

  forget(made: Made) {
    this.#known.delete(keyOf(made));
  }
}

const keyOf = ({ member, credential }: Made) => `${member} ${credential ?? 'session'}`;

async function load(
  scope: RequestScope,
  { cell, workspace }: Place,
  { member, credential }: Made,
): Promise<Caller | null> {
  const creator = await loadStanding(scope, cell, { workspace, member, credential });
  if (!creator || lacksPlan(scope, creator)) return null;
  return reachOf(creator, 'manageWebhooks') === 'none' ? null : creator;
}
