import { sealSecret } from '../../../src/webhooks/secrets/secret-seal.ts';
import { createWebhookSecret } from '../../../src/webhooks/secrets/signature.ts';
import { env, getCell } from '../../support/env.ts';
import type { Person, Workspace } from '../../support/world.ts';

/** Inserts a paused webhook, even for people who can't have webhooks. Returns its id. */
export async function insertWebhook(
  { id, no, cell }: Pick<Workspace, 'id' | 'no' | 'cell'>,
  { member }: Pick<Person, 'member'>,
  description: string | null = null,
): Promise<number> {
  const secrets = { sessionSecret: env.SESSION_SECRET, sessionSecretPrevious: null };
  const seal = await sealSecret(secrets, id, createWebhookSecret());
  const made = await getCell(cell)
    .prepare(
      "INSERT INTO webhooks (ws, member, url, description, secret, status, cursor, created_at) VALUES (?, ?, 'https://hooks.example.com/', ?, ?, 'paused', 0, ?) RETURNING id",
    )
    .bind(no, member, description, seal, Date.now())
    .first<{ id: number }>();
  return made?.id ?? 0;
}
