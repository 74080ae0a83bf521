import { DAY_MS } from '../../kernel/dates/durations.ts';
import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { readUnreadItems, type UnreadItem } from '../inbox/unread-items.ts';
import { composeMail } from './compose-mail.ts';
import { listDailyRecipients, queueDailyMail } from './directory.queries.ts';
import { listTypesWithMode, parseModes } from './mail-modes.ts';

const PEOPLE_PER_RUN_MAX = 20;
/** Gives slow requests time to commit their notifications. */
const COMMIT_DELAY_MS = 60_000;
const CELLS_PER_MAIL_MAX = 8;
const MAIL_COST = 2 * CELLS_PER_MAIL_MAX + 2;

export const queueDailyEmails: DirectoryJob = {
  name: 'emails.daily',
  cost: 1 + MAIL_COST,
  async run(scope, allowance) {
    const { directory, now } = scope;
    const until = now - COMMIT_DELAY_MS;
    const limit = countAffordableUnits({ left: allowance.left - 1 }, MAIL_COST, PEOPLE_PER_RUN_MAX);
    const [readers] = await directory.batch([listDailyRecipients(now, limit)]);
    for (const reader of readers) {
      const { id, daily_at: dailyAt, since } = reader;
      const kinds = listTypesWithMode(parseModes(reader.modes), 'daily');
      const items: UnreadItem[] = [];
      for (const cell of (JSON.parse(reader.cells) as number[]).slice(0, CELLS_PER_MAIL_MAX))
        items.push(
          ...(await readUnreadItems(scope, cell, id, {
            kinds,
            ids: [0, Number.MAX_SAFE_INTEGER],
            times: [since, until],
          })),
        );
      items.sort((a, b) => b.createdAt - a.createdAt);
      const mail = items.length > 0 ? composeMail(scope, reader, items, 'daily') : null;
      const next = dailyAt + Math.ceil((now - dailyAt + 1) / DAY_MS) * DAY_MS;
      await directory.batch(queueDailyMail({ userId: id, dailyAt, next, until }, mail, now));
    }
    return readers.length === limit;
  },
};
