import { createWithFreshSignIn } from '../../accounts/credentials/fresh-sign-in.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { internalError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import {
  deleteCredential,
  findCredentialByHash,
  insertApiKey,
  recordCredentialRevocation,
  revokeCredential,
} from '../../oauth/connected-apps/connected-apps.queries.ts';
import { draftApiKey } from '../../oauth/connected-apps/connected-apps.ts';
import {
  botNotFoundError,
  canRevokeKeys,
  managersOnlyError,
  requireBotManager,
  requireManageableBot,
} from './bots.policy.ts';
import { assertBotUnchanged, type BotRow, findBot } from './bots.queries.ts';
import { createBotKeyInput, createdBotKey, revokeBotKeyInput } from './bots.schema.ts';

export const createBotKey = defineOperation(
  {
    access: 'session',
    capability: 'managePeople',
    effect: 'write',
    name: 'createBotKey',
    summary: 'Create an API key for the bot',
    input: createBotKeyInput,
    output: createdBotKey,
    returnsSecret: true,
    audits: ['api_key.created', 'api_key.revoked'],
  },
  async (ctx, { id, ...input }) => {
    const { caller, db, now } = ctx;
    const [bot] = await db.batch([findBot(caller, id, now)]);
    if (!bot) throw botNotFoundError(id);
    requireBotManager(ctx);
    requireManageableBot(ctx, bot);
    const asBot = { ...caller, member: bot.no };
    const { key, draft } = draftApiKey(ctx, bot, input);
    const created = await createWithFreshSignIn(
      ctx,
      async () => {
        const [, , made] = await db.batch([
          assertBotUnchanged(caller, bot),
          insertApiKey(asBot, draft, now),
          findCredentialByHash(asBot, draft.hash),
          recordAuditEntry(ctx, {
            type: 'api_key.created',
            member: bot.no,
            subject: { name: draft.name },
            details: { scopes: draft.scopes === '' ? 'all' : draft.scopes },
          }),
        ]);
        if (!made) throw internalError();
        return made;
      },
      (made) => [...recordKeyRevocation(ctx, bot, made.id), deleteCredential(asBot, made.id)],
    );
    return { id: created.id, key };
  },
);

export const revokeBotKey = defineOperation(
  {
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    name: 'revokeBotKey',
    summary: "Revoke a bot's key",
    description: "The bot's accountable person can also revoke its keys.",
    input: revokeBotKeyInput,
    output: successOutput,
    replay: successReplay,
    audits: ['api_key.revoked', 'app.disconnected'],
  },
  async (ctx, { id, keyId }) => {
    const { caller, db, now } = ctx;
    const [bot] = await db.batch([findBot(caller, id, now)]);
    if (!bot) throw botNotFoundError(id);
    if (!canRevokeKeys(caller, bot)) throw managersOnlyError(ctx);
    const [revoked] = await db.writeThenRead(recordKeyRevocation(ctx, bot, keyId), [
      revokeCredential({ ...caller, member: bot.no }, keyId, now),
    ]);
    if (!revoked) throw notFoundError('key', keyId, "the bot's page");
    return { success: true as const };
  },
);

function recordKeyRevocation(ctx: Context, bot: BotRow, key: number) {
  return recordCredentialRevocation(ctx, key, bot.no);
}
