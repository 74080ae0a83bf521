import type { CellJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { findJobPosition, saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { getCurrentKeyId, openSecret, sealSecret } from '../secrets/secret-seal.ts';
import { listSealedSecrets, replaceSealedSecret } from './reseal.queries.ts';
import { listEarlierSecrets } from './signing-secrets.ts';

const WEBHOOKS_PER_PAGE = 25;
/**
 * The number of calls per page: reading and saving the position, reading the page, and replacing up to four secrets per
 * webhook.
 */
const RESEAL_COST = 3 + 4 * WEBHOOKS_PER_PAGE;

/** Encrypts secrets with the current session secret. Must finish before the previous session secret is removed. */
export const resealSecrets: CellJob = {
  name: 'webhooks.reseal',
  cost: RESEAL_COST,
  isDue: null,
  async run(scope, no, allowance) {
    if (scope.config.sessionSecretPrevious === null) return false;
    const name = `webhook seals ${no}`;
    const cell = scope.cell(no);
    for (let pages = countAffordableUnits(allowance, RESEAL_COST, 10); pages > 0; pages -= 1) {
      const [saved] = await cell.batch([findJobPosition(name)]);
      const [page] = await cell.batch([listSealedSecrets(Number(saved?.position ?? 0), WEBHOOKS_PER_PAGE)]);
      const isLast = page.length < WEBHOOKS_PER_PAGE;
      const fresh = await Promise.all(
        page.flatMap((row) => toSealedSecrets(row).map((seal) => reencryptSecret(scope, row, seal))),
      );
      const next = isLast ? 0 : (page.at(-1)?.id ?? 0);
      await cell.batch([...fresh.flatMap((each) => each ?? []), saveJobPosition(name, String(next))]);
      if (isLast) return false;
    }
    return true;
  },
};

type SealedSecretsRow = ReturnType<ReturnType<typeof listSealedSecrets>['read']>[number];

const toSealedSecrets = (row: SealedSecretsRow) => [
  row.secret,
  ...listEarlierSecrets(row).map(({ secret }) => secret),
];

async function reencryptSecret(
  { config }: RequestScope,
  { id, workspace, workspace_id: workspaceId }: SealedSecretsRow,
  seal: string,
) {
  if (seal.startsWith(`${await getCurrentKeyId(config)}.`)) return null;
  const secret = await openSecret(config, workspaceId, seal);
  return secret === null
    ? null
    : replaceSealedSecret(workspace, id, seal, await sealSecret(config, workspaceId, secret));
}
