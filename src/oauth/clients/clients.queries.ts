import { and, eq, gt, inArray, isNotNull, isNull, lte, or } from 'drizzle-orm';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { oauthClients } from '../../schema/directory/oauth-clients.ts';

const DELETIONS_PER_RUN_MAX = 200;

const insertClientRow = prepared.write(
  (
    client: Argument<{ id: string; name: string; redirectUris: string; expiresAt: number }>,
    now: Argument<number>,
  ) =>
    query.insert(oauthClients).values({
      id: client.id,
      name: client.name,
      redirect_uris: client.redirectUris,
      created_at: now,
      expires_at: client.expiresAt,
    }),
);

export function insertClient(
  client: { id: string; name: string; redirectUris: readonly string[]; expiresAt: number },
  now: number,
) {
  return insertClientRow({ ...client, redirectUris: JSON.stringify(client.redirectUris) }, now);
}

export const findRegisteredClient = prepared.firstRow((id: Argument<string>, now: Argument<number>) =>
  query
    .select(pickColumns(oauthClients, 'id', 'name', 'redirect_uris'))
    .from(oauthClients)
    .where(
      and(
        eq(oauthClients.id, id),
        isNull(oauthClients.deleted_at),
        or(isNull(oauthClients.expires_at), gt(oauthClients.expires_at, now)),
      ),
    ),
);

export const keepClientPermanently = prepared.write((id: Argument<string>) =>
  query
    .update(oauthClients)
    .set({ expires_at: null })
    .where(and(eq(oauthClients.id, id), isNotNull(oauthClients.expires_at))),
);

export const deleteUnusedClients = prepared.write((now: Argument<number>) => {
  const unused = query
    .select(pickColumns(oauthClients, 'id'))
    .from(oauthClients)
    .where(and(isNotNull(oauthClients.expires_at), lte(oauthClients.expires_at, now)))
    .orderBy(oauthClients.expires_at)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(oauthClients).where(inArray(oauthClients.id, unused));
});
