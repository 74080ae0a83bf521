import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { createBotKey, revokeBotKey } from './bot-keys.ts';
import { createBot, getBot, listBots, updateBot } from './bots.ts';

export const botWebOperations: readonly AnyOperation[] = [
  listBots,
  getBot,
  createBot,
  updateBot,
  createBotKey,
  revokeBotKey,
];
