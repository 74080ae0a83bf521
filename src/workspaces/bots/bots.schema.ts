import * as z from 'zod';
import { roles } from '../../kernel/access/roles.ts';
import { buildPlainTextSchema, integerId } from '../../kernel/operation/schema.ts';
import { connectedApp, createApiKeyInput } from '../../oauth/connected-apps/connected-apps.schema.ts';

export const botIcons = ['bot', 'rocket', 'bell', 'bug', 'code', 'gauge'] as const;
export type BotIcon = (typeof botIcons)[number];

const name = z
  .string()
  .min(1)
  .max(100)
  .refine((text) => text.trim() !== '', 'must not be blank');
const botId = z.string().min(1).max(100);

const bot = z.object({
  id: botId,
  name: z.string(),
  icon: z.enum(botIcons),
  role: z.enum(roles),
  accountable: z.object({ id: z.string(), name: z.string() }),
  keys: z.int(),
});
export type Bot = z.output<typeof bot>;

export const botList = z.object({ data: z.array(bot) });
export const botDetail = bot.extend({
  /** Null unless the caller can manage the bot or is accountable for it. */
  credentials: z.array(connectedApp).nullable(),
});

export const botIdInput = z.strictObject({ id: botId });
export const createBotInput = z.strictObject({
  name,
  icon: z.enum(botIcons).default('bot'),
  role: z.enum(roles).default('member'),
});
export const createdBot = z.object({ id: botId });
export const updateBotInput = z.strictObject({
  id: botId,
  name: name.optional(),
  icon: z.enum(botIcons).optional(),
  accountableId: botId.optional(),
});
export const createBotKeyInput = z.strictObject({ id: botId, ...createApiKeyInput.shape });
export const createdBotKey = z.object({ id: integerId, key: buildPlainTextSchema(100) });
export const revokeBotKeyInput = z.strictObject({ id: botId, keyId: integerId });
