import * as z from 'zod';
import { createBotKey, revokeBotKey } from '../../../workspaces/bots/bot-keys.ts';
import { createBot, getBot, listBots, updateBot } from '../../../workspaces/bots/bots.ts';
import { changeRole } from '../../../workspaces/people/change-role.ts';
import { removePerson } from '../../../workspaces/people/remove-person.ts';
import { listUsers } from '../../../workspaces/reference/users.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { BotView } from './bot.view.tsx';
import { BotsView } from './bots.view.tsx';

const PEOPLE_LISTED_MAX = 100;

export const botsParams = z.object({});
export const botsReads = { bots: listBots };

export const botsPage = definePage({
  name: 'bots',
  path: '/bots',
  title: () => 'Bots',
  params: botsParams,
  reads: botsReads,
  inputs: () => ({ bots: {} }),
  view: BotsView,
});

export const botParams = z.object({ bot: z.string().max(100) });
export const botReads = { bot: getBot, people: listUsers };

export const botPage = definePage({
  name: 'bot',
  path: '/bots/:bot',
  title: ({ answers: { bot } }) => bot.name,
  params: botParams,
  reads: botReads,
  inputs: ({ bot }) => ({ bot: { id: bot }, people: { limit: PEOPLE_LISTED_MAX } }),
  view: BotView,
});

export const createBotForm = defineForm({
  name: 'newBot',
  path: '/bots',
  operation: createBot,
  redirectTo: ({ id }, { base }) => `${base}/bots/${id}`,
  flash: ({ input }) => ({ text: `${input.name} created` }),
});
export const updateBotForm = defineForm({
  name: 'changeBot',
  path: '/bots/:id',
  operation: updateBot,
  flash: () => ({ text: 'Bot saved' }),
});
export const createBotKeyForm = defineForm({
  name: 'newBotKey',
  path: '/bots/:id/keys',
  operation: createBotKey,
  secret: ({ key }) => key,
});
export const revokeBotKeyForm = defineForm({
  name: 'revokeBotKey',
  path: '/bots/:id/keys/:keyId/revoke',
  operation: revokeBotKey,
  removal: 'asked',
  flash: () => ({ text: 'Key revoked' }),
});
export const changeBotRoleForm = defineForm({
  name: 'changeBotRole',
  path: '/bots/:userId/role',
  operation: changeRole,
  flash: () => ({ text: 'Role changed' }),
});
export const removeBotForm = defineForm({
  name: 'removeBot',
  path: '/bots/:userId/remove',
  operation: removePerson,
  removal: 'asked',
  redirectTo: (_output, { base }) => `${base}/bots`,
  flash: () => ({ text: 'Bot removed' }),
});
