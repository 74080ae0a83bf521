import { Cron } from 'croner';

/** Runs every cron once, since it may have come due while this machine was off, and then whenever it comes due. */
export async function keepCrons(crons: readonly string[], fire: (cron: string) => Promise<void>) {
  for (const cron of crons) {
    await fire(cron);
    new Cron(cron, { timezone: 'UTC', protect: true }, () => fire(cron));
  }
}
