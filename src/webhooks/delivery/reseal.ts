import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import { findPosition, savePosition } from '../../kernel/sql/positions.queries.ts';
import { currentKeyId, openSecret, sealSecret } from '../secrets/secret-seal.ts';
import { listSealed, replaceSeal } from './reseal.queries.ts';
import { earlierSecrets } from './secrets.ts';

const PAGE = 25;
/** Statements of a page: its position read and written, the page, and at most four new seals for each of it. */
export const RESEAL_COST = 3 + 4 * PAGE;

/**
 * While the session secret is being changed, seals the secrets of webhooks with the new one, page by page; answers whether
 * pages are left. A webhook that nobody sends to meanwhile could not be opened afterwards.
 */
export async function resealSecrets(scope: RequestScope, no: number, allowance: Allowance): Promise<boolean> {
  if (scope.config.sessionSecretPrevious === null) return false;
  const name = `webhook seals ${no}`;
  const cell = scope.cell(no);
  for (let pages = unitsOf(allowance, RESEAL_COST, 10); pages > 0; pages -= 1) {
    const [found] = await cell.batch([findPosition(name)]);
    const [page] = await cell.batch([listSealed(Number(found?.position ?? 0), PAGE)]);
    const isLast = page.length < PAGE;
    const fresh = await Promise.all(
      page.flatMap((row) => sealsOf(row).map((seal) => renew(scope, row, seal))),
    );
    const next = isLast ? 0 : (page.at(-1)?.id ?? 0);
    await cell.batch([...fresh.flatMap((each) => each ?? []), savePosition(name, String(next))]);
    if (isLast) return false;
  }
  return true;
}

type Sealed = ReturnType<ReturnType<typeof listSealed>['read']>[number];

const sealsOf = (row: Sealed) => [row.secret, ...earlierSecrets(row).map(({ secret }) => secret)];

/** The statement that puts a new seal in the place of one; null where it is new, or where nobody can open it. */
async function renew(
  { config }: RequestScope,
  { id, workspace, workspace_id: workspaceId }: Sealed,
  seal: string,
) {
  if (seal.startsWith(`${await currentKeyId(config)}.`)) return null;
  const secret = await openSecret(config, workspaceId, seal);
  return secret === null
    ? null
    : replaceSeal(workspace, id, seal, await sealSecret(config, workspaceId, secret));
}
