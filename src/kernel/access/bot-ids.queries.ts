import type { Column } from 'drizzle-orm';
import { type SQL, sql } from '../sql/sql.ts';

/**
 * A bot is a member without an account. Its id looks like a person's id, so it can be used wherever a person's id can.
 */
export const BOT_ID_PREFIX = 'usr_bot_';

export function isBotId(userId: string): boolean {
  return userId.startsWith(BOT_ID_PREFIX);
}

export function isBot(userId: SQL | Column): SQL {
  return sql`substr(${userId}, 1, ${sql.raw(String(BOT_ID_PREFIX.length))}) = ${sql.raw(`'${BOT_ID_PREFIX}'`)}`;
}
