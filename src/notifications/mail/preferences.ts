import { addDays, toInstant, toWallClock } from '../../kernel/dates/civil-date.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { removeSeal } from '../../kernel/secrets/seal.ts';
import { UNSUBSCRIBE_PURPOSE } from './compose-mail.ts';
import { saveMailPreferences } from './directory.queries.ts';
import { allMailModesOff, listTypesWithMode, type MailModes, modesInput } from './mail-modes.ts';

/**
 * The first daily email is sent at this time, in the time zone of the workspace where the person turned it on. The
 * others follow every 24 hours.
 */
const DAILY_MAIL_TIME = '07:00';

export const setMailPreferences = defineOperation(
  {
    name: 'setMailPreferences',
    summary: 'Change your email notification preferences',
    access: 'session',
    capability: 'manageOwn',
    effect: 'write',
    input: modesInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ request, caller, now, recheck }, modes) => {
    // The directory can't check the credential, so `recheck` rejects a revoked credential before the write.
    await recheck();
    const dailyAt =
      listTypesWithMode(modes, 'daily').length > 0 ? getNextDailyMailTime(now, caller.timezone) : null;
    await request.directory.batch([
      saveMailPreferences(caller.userId, { modes: JSON.stringify(modes), dailyAt, now }),
    ]);
    return { success: true as const };
  },
);

function getNextDailyMailTime(now: number, timezone: string): number {
  const { date, time } = toWallClock(now, timezone);
  return toInstant(time < DAILY_MAIL_TIME ? date : addDays(date, 1), DAILY_MAIL_TIME, timezone);
}

export function openUnsubscribeToken({ config }: Pick<RequestScope, 'config'>, token: string): string | null {
  return removeSeal([config.sessionSecret, config.sessionSecretPrevious], UNSUBSCRIBE_PURPOSE, token);
}

/** Requires no sign-in, because having the link is enough to unsubscribe (RFC 8058). */
export async function unsubscribe(
  scope: Pick<RequestScope, 'directory' | 'now'>,
  userId: string,
): Promise<void> {
  const modes: MailModes = allMailModesOff;
  await scope.directory.batch([
    saveMailPreferences(userId, { modes: JSON.stringify(modes), dailyAt: null, now: scope.now }),
  ]);
}
