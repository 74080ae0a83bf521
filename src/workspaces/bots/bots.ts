import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { createBotId } from '../../kernel/secrets/tokens.ts';
import { listMemberCredentials } from '../../oauth/connected-apps/connected-apps.queries.ts';
import { toConnectedApp } from '../../oauth/connected-apps/connected-apps.ts';
import { requireGrantableRole } from '../people/people.policy.ts';
import { findPerson } from '../people/people.queries.ts';
import { botNotFoundError, canRevokeKeys, requireBotManager, requireManageableBot } from './bots.policy.ts';
import {
  assertBotUnchanged,
  type BotRow,
  countBots,
  findBot,
  insertBot,
  listBots as selectBots,
  updateBot as updateBotRow,
} from './bots.queries.ts';
import { botDetail, botIdInput, botList, createBotInput, createdBot, updateBotInput } from './bots.schema.ts';

const BOTS_MAX = 100;
const KEYS_SHOWN_MAX = 100;

const readSpec = { access: 'session', capability: 'seeReference', effect: 'read' } as const;
const writeSpec = { access: 'session', capability: 'managePeople', effect: 'write' } as const;

export const listBots = defineOperation(
  {
    ...readSpec,
    name: 'listBots',
    summary: "List the workspace's bots, and who is accountable for each",
    input: z.strictObject({}),
    output: botList,
  },
  async ({ db, caller, now }) => {
    const [rows] = await db.batch([selectBots(caller, now)]);
    return { data: rows.map(toBot) };
  },
);

export const getBot = defineOperation(
  {
    ...readSpec,
    name: 'getBot',
    summary: 'Get a bot, with its keys if you can revoke them',
    input: botIdInput,
    output: botDetail,
  },
  async ({ db, caller, now }, { id }) => {
    const [bot, keys] = await db.batch([
      findBot(caller, id, now),
      listMemberCredentials(caller.workspace, id, KEYS_SHOWN_MAX),
    ]);
    if (!bot) throw botNotFoundError(id);
    const isShown = canRevokeKeys(caller, bot);
    return { ...toBot(bot), credentials: isShown ? keys.map((key) => toConnectedApp(key, now)) : null };
  },
);

export const createBot = defineOperation(
  {
    ...writeSpec,
    name: 'createBot',
    summary: 'Create a bot that you are accountable for',
    description:
      'A bot is a member that acts only with the keys that you give it. It has no password and receives no email.',
    input: createBotInput,
    output: createdBot,
    audits: ['bot.created'],
  },
  async (ctx, { name, icon, role }) => {
    const { caller, db, now } = ctx;
    requireBotManager(ctx);
    requireGrantableRole(ctx, role);
    const [bots] = await db.batch([countBots(caller)]);
    if (bots >= BOTS_MAX) {
      throw invalidRequestError(
        `A workspace can have up to ${BOTS_MAX} bots; this one has ${bots}. Remove one first.`,
      );
    }
    const id = createBotId();
    await db.batch([
      ...insertBot(caller, { id, name, icon, role }, BOTS_MAX, now),
      recordEvent(ctx, { type: 'member.joined', entity: id, changes: { role: { from: null, to: role } } }),
      recordAuditEntry(ctx, { type: 'bot.created', subject: { id, name }, details: { role } }),
    ]);
    return { id };
  },
);

export const updateBot = defineOperation(
  {
    ...writeSpec,
    name: 'updateBot',
    summary: "Change a bot's name, icon or accountable person",
    input: updateBotInput,
    output: successOutput,
    audits: ['bot.updated'],
  },
  async (ctx, { id, accountableId, ...input }) => {
    const { caller, db, now } = ctx;
    const [bot, person] = await db.batch([findBot(caller, id, now), findPerson(caller, accountableId ?? '')]);
    if (!bot) throw botNotFoundError(id);
    requireBotManager(ctx);
    requireManageableBot(ctx, bot);
    if (accountableId !== undefined && (!person || person.role === 'client' || isBotId(accountableId))) {
      throw invalidRequestError(
        "The accountable person must be a member of the workspace who isn't a client or a bot.",
      );
    }
    const before = { name: bot.name, icon: bot.icon, accountableId: bot.accountable_id };
    const { name = bot.name, icon = bot.icon } = input;
    const after = { name, icon, accountableId: accountableId ?? bot.accountable_id };
    requireCurrentSnapshot(ctx.snapshot, { ...input, accountableId }, before, { type: 'member.updated', id });
    if (JSON.stringify(after) === JSON.stringify(before)) return { success: true as const };
    await db.batch([
      assertBotUnchanged(caller, bot),
      // The event log doesn't contain names of people or bots.
      recordEvent(ctx, { type: 'member.updated', entity: id, changes: { name: null } }),
      recordAuditEntry(ctx, {
        type: 'bot.updated',
        member: bot.no,
        details: {
          name: name === bot.name ? null : name,
          accountable: person && accountableId !== bot.accountable_id ? person.user_id : null,
        },
      }),
      ...updateBotRow(caller, bot.no, {
        name,
        icon,
        accountable: person?.no ?? bot.accountable,
      }),
    ]);
    return { success: true as const };
  },
);

function toBot({ id, name, icon, role, accountable_id, accountable_name, keys }: BotRow) {
  return { id, name, icon, role, accountable: { id: accountable_id, name: accountable_name }, keys };
}
