import { createExecutionContext, createScheduledController } from 'cloudflare:test';
import { afterEach, expect, it, vi } from 'vitest';
import worker from '../src/index.ts';
import { runCron } from './support/cron.ts';
import { env } from './support/env.ts';

async function insertExpiredVerification(hash: string) {
  await env.DIRECTORY.prepare('INSERT INTO email_verifications VALUES (?, ?, 1, 0)')
    .bind(hash, 'usr_x')
    .run();
}

function countVerifications() {
  return env.DIRECTORY.prepare('SELECT count(*) AS n FROM email_verifications').first<{ n: number }>();
}

it('the cron job that runs every minute sends due emails and deletes expired verifications', async () => {
  const sent: unknown[] = [];
  const EMAIL = { send: async (mail: unknown) => sent.push(mail) } as unknown as SendEmail;
  await env.DIRECTORY.prepare(
    "INSERT INTO outbox (recipient, subject, text, html, created_at, next_attempt_at) VALUES ('a@example.com', 'Hello', 't', 'h', 0, 0)",
  ).run();
  await insertExpiredVerification('one');
  await runCron('* * * * *', { EMAIL, ENVIRONMENT: 'production' });
  expect(sent).toHaveLength(1);
  expect(await countVerifications()).toEqual({ n: 0 });
});

it('a cron run continues with the other jobs if one job fails', async () => {
  await insertExpiredVerification('two');
  // Makes only the job that sends emails fail, because only this job claims emails with an UPDATE.
  const prepare = (sql: string) => {
    if (/UPDATE outbox/.test(sql)) throw new Error('D1_ERROR: overloaded');
    return env.DIRECTORY.prepare(sql);
  };
  const DIRECTORY = {
    prepare,
    batch: (all: D1PreparedStatement[]) => env.DIRECTORY.batch(all),
  } as unknown as D1Database;
  await runCron('* * * * *', { DIRECTORY });
  expect(await countVerifications()).toEqual({ n: 0 });
});

it('the nightly cron job runs without an error', async () => {
  await expect(runCron('17 3 * * *')).resolves.toBeUndefined();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Runs the jobs of every minute with fake database keepers, whose ticks call `tickOf`. Returns the names of the keepers
 * that were called.
 */
async function callKeepers(tickOf: (name: string) => Promise<void>, cells: number): Promise<string[]> {
  const called: string[] = [];
  const getByName = (name: string) => ({
    tick: () => {
      called.push(name);
      return tickOf(name);
    },
  });
  const DATABASE_KEEPER = { getByName } as unknown as Env['DATABASE_KEEPER'];
  const bound = Object.fromEntries(Array.from({ length: cells }, (_, no) => [`CELL_${no}`, env.CELL_0]));
  const controller = createScheduledController({ cron: '* * * * *' });
  await worker.scheduled(controller, { ...env, ...bound, DATABASE_KEEPER }, createExecutionContext());
  return called;
}

it("a database keeper that fails or doesn't respond doesn't delay the others", async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const logged: { event: string; keeper: string }[] = [];
  vi.spyOn(console, 'error').mockImplementation((line) => {
    logged.push(JSON.parse(line));
  });
  const calls = callKeepers((name) => {
    if (name === 'cell 0') return new Promise(() => undefined);
    return name === 'directory' ? Promise.reject(new Error('overloaded')) : Promise.resolve();
  }, 120);
  await vi.advanceTimersByTimeAsync(5_000);
  const called = await calls;
  expect(called).toHaveLength(121);
  expect(logged.map(({ event, keeper }) => `${event} ${keeper}`).sort()).toEqual([
    'cron.unreachable cell 0',
    'cron.unreachable directory',
  ]);
});

it('at most fifty database keepers are called at once', async () => {
  let [open, most] = [0, 0];
  await callKeepers(async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 1));
    open -= 1;
  }, 200);
  expect(most).toBe(50);
});
