import * as z from 'zod';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay, timestamp, toTimestamp } from '../../kernel/operation/schema.ts';
import { createDerivedToken, recreateDerivedToken } from '../../kernel/secrets/derived-token.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import { deleteFeed, findOwnFeed, hasFeed, saveFeed } from './calendar-feed.queries.ts';
import { FEED_PATH, toFeedToken } from './feed-token.ts';

const calendarFeed = z.object({
  /** Null if the member has no feed URL, or if it can't be shown again. */
  address: z.string().nullable(),
  madeAt: timestamp.nullable(),
});

export const getCalendarFeed = defineOperation(
  {
    name: 'getCalendarFeed',
    summary: 'Get the secret link to your calendar in this workspace',
    access: 'session',
    capability: 'manageOwn',
    effect: 'read',
    input: z.strictObject({}),
    output: calendarFeed,
  },
  async ({ db, caller, request }) => {
    const [found] = await db.batch([findOwnFeed(caller)]);
    if (!found) return { address: null, madeAt: null };
    const token = recreateDerivedToken(request, {
      ...toFeedToken(caller.cell, caller.member, found.nonce),
      hash: found.hash,
    });
    return {
      address: token === null ? null : `${request.origin}${FEED_PATH}/${token}.ics`,
      madeAt: toTimestamp(found.created_at),
    };
  },
);

export const renewCalendarFeed = defineOperation(
  {
    name: 'renewCalendarFeed',
    summary: 'Replace the secret link to your calendar; the old one stops working',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({}),
    output: successOutput,
    replay: successReplay,
    audits: ['calendar_link.created'],
  },
  async (ctx) => {
    const { db, caller, request, now } = ctx;
    const nonce = createSecret();
    const token = createDerivedToken(
      request.config.sessionSecret,
      toFeedToken(caller.cell, caller.member, nonce),
    );
    await db.batch([
      saveFeed(caller, { hash: hashSecret(token), nonce, created_at: now }),
      recordAuditEntry(ctx, { type: 'calendar_link.created' }),
    ]);
    return { success: true as const };
  },
);

export const endCalendarFeed = defineOperation(
  {
    name: 'endCalendarFeed',
    summary: 'Remove the secret link to your calendar',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: z.strictObject({}),
    output: successOutput,
    replay: successReplay,
    audits: ['calendar_link.deleted'],
  },
  async (ctx) => {
    const { db, caller } = ctx;
    await db.batch([
      recordAuditEntry(ctx, { type: 'calendar_link.deleted' }, hasFeed(caller)),
      deleteFeed(caller),
    ]);
    return { success: true as const };
  },
);
