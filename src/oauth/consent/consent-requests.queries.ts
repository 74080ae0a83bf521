import { and, desc, eq, gt, inArray, lte, notInArray } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import {
  type Argument,
  pickColumns,
  prepared,
  query,
  type RowOf,
  toRowLimit,
} from '../../kernel/sql/prepared.ts';
import { oauthRequests } from '../../schema/directory/oauth-requests.ts';

const DELETIONS_PER_RUN_MAX = 200;

const isOpenConsentRequest = (
  idHash: Argument<string>,
  sessionHash: Argument<string>,
  now: Argument<number>,
) =>
  and(
    eq(oauthRequests.id_hash, idHash),
    eq(oauthRequests.session_hash, sessionHash),
    gt(oauthRequests.expires_at, now),
  );

export const findConsentRequest = prepared.firstRow(
  (idHash: Argument<string>, sessionHash: Argument<string>, now: Argument<number>) =>
    query
      .select(
        pickColumns(
          oauthRequests,
          'client_id',
          'client_name',
          'redirect_uri',
          'challenge',
          'scopes',
          'state',
          'resource',
        ),
      )
      .from(oauthRequests)
      .where(isOpenConsentRequest(idHash, sessionHash, now)),
);
export type ConsentRequestRow = RowOf<typeof findConsentRequest>;

export const insertConsentRequest = prepared.write(
  (
    ids: Argument<{ idHash: string; sessionHash: string }>,
    request: Argument<ConsentRequestRow>,
    expiresAt: Argument<number>,
    now: Argument<number>,
  ) =>
    query.insert(oauthRequests).values({
      id_hash: ids.idHash,
      session_hash: ids.sessionHash,
      client_id: request.client_id,
      client_name: request.client_name,
      redirect_uri: request.redirect_uri,
      challenge: request.challenge,
      scopes: request.scopes,
      state: request.state,
      resource: request.resource,
      created_at: now,
      expires_at: expiresAt,
    }),
);

/** Keeps only the browser's newest requests, so that reloading the consent page doesn't fill the table. */
export const deleteOlderConsentRequests = prepared.write(
  (sessionHash: Argument<string>, kept: Argument<number>) => {
    const r = alias(oauthRequests, 'r');
    const newest = query
      .select(pickColumns(r, 'id_hash'))
      .from(r)
      .where(eq(r.session_hash, sessionHash))
      .orderBy(desc(r.created_at))
      .limit(toRowLimit(kept));
    return query
      .delete(oauthRequests)
      .where(and(eq(oauthRequests.session_hash, sessionHash), notInArray(oauthRequests.id_hash, newest)));
  },
);

export const consumeConsentRequest = prepared.firstRow(
  (idHash: Argument<string>, sessionHash: Argument<string>, now: Argument<number>) =>
    query
      .delete(oauthRequests)
      .where(isOpenConsentRequest(idHash, sessionHash, now))
      .returning(pickColumns(oauthRequests, 'id_hash')),
);

export const deleteExpiredConsentRequests = prepared.write((now: Argument<number>) => {
  const expired = query
    .select(pickColumns(oauthRequests, 'id_hash'))
    .from(oauthRequests)
    .where(lte(oauthRequests.expires_at, now))
    .orderBy(oauthRequests.expires_at)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(oauthRequests).where(inArray(oauthRequests.id_hash, expired));
});
