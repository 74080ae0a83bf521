// Sends many notifications through the queues while the mail service fails, requests a password reset while most of
// them are still waiting, and kills the Worker once half of them are sent.
//   node scripts/install.mjs bench/mail.ts [--emails 300000] [--rejected 0.01] [--unknown 0.001] [--minutes 60]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bundle } from '../scripts/bundle.ts';
import { getDatabaseFile, readDatabases, root } from '../scripts/databases.ts';
import { findFreePort } from '../scripts/local.ts';
import { openRuntime, readWorker, toWorkerModules } from '../scripts/runtime.ts';
import { runWrangler } from '../scripts/wrangler.ts';
import { countOne, type MailService, startMailService } from './mail/service.ts';
import { SESSION_SECRET } from './runtime.ts';

const { values } = parseArgs({
  options: {
    emails: { type: 'string', default: '300000' },
    /** The share of calls that the mail service rejects. */
    rejected: { type: 'string', default: '0.01' },
    /** The share of calls that fail although the mail service has accepted the email. */
    unknown: { type: 'string', default: '0.001' },
    /** The minutes within which all emails must be sent. */
    minutes: { type: 'string', default: '60' },
  },
});
const emails = Number(values.emails);
const MINUTE_MS = 60_000;
const SWEEP_MS = 5_000;
const POLL_MS = 500;
const RESET_MS_MAX = 2_000;
/** How many notifications must still be waiting when the password reset is sent. */
const WAITING_MIN = Math.min(100_000, emails / 3);
const EMAIL = 'ada@edgework.test';

const state = mkdtempSync(join(tmpdir(), 'edgework-mail-'));
process.chdir(root);
for (const binding of ['DIRECTORY', 'CELL_0'])
  runWrangler(['d1', 'migrations', 'apply', binding, '--local', `--persist-to=${state}`]);
const port = await findFreePort();
const origin = `http://localhost:${port}`;
const { email: _email, ...options } = readWorker().options;
const modules = toWorkerModules(bundle(null, join(state, 'bundle'), { minify: true }));
const faults = { rejected: Number(values.rejected), unknown: Number(values.unknown) };
const service = await startMailService(faults, EMAIL);

async function startWorker() {
  const runtime = await openRuntime({
    port,
    folder: join(state, 'v3'),
    handleStructuredLogs: () => undefined,
    workers: [
      {
        ...options,
        ...modules,
        bindings: {
          ...options.bindings,
          SESSION_SECRET,
          PUBLIC_URL: origin,
          MAIL_FROM: 'no-reply@edgework.test',
        },
        serviceBindings: { EMAIL: 'mail-service' },
      },
      {
        name: 'mail-service',
        compatibilityDate: options.compatibilityDate,
        modules: true,
        script: service.script,
      },
    ],
  });
  const [app, { DIRECTORY }] = await Promise.all([
    runtime.getWorker(options.name),
    runtime.getBindings<{ DIRECTORY: D1Database }>(options.name),
  ]);
  return {
    DIRECTORY,
    sweep: () => app.scheduled({ cron: '* * * * *' }),
    /** Kills the runtime at once, with everything that it has in memory: queues, requests and jobs. */
    kill: () => runtime.dispose(),
  };
}

let worker = await startWorker();
try {
  await prepareEmails();
  const form = await openForm(`${origin}/forgot-password`);
  const startedAt = Date.now();
  let reset: { ms: number; waiting: number } | null = null;
  let isKilled = false;
  let sweptAt = 0;
  while (!isKilled || (await countDue()) > 0) {
    const waiting = emails - countNotifications(service);
    assert.ok(
      Date.now() - startedAt < Number(values.minutes) * MINUTE_MS,
      `${waiting} emails are still waiting after ${values.minutes} minutes`,
    );
    // Requests the reset once some notifications have been sent.
    if (reset === null && waiting < emails) reset = { waiting, ms: await requestReset(form) };
    if (!isKilled && reset && waiting <= emails / 2) {
      await worker.kill();
      console.log(`Killed the worker while ${waiting} notifications waited`);
      countUnrecorded();
      worker = await startWorker();
      isKilled = true;
    }
    if (Date.now() - sweptAt > SWEEP_MS || Date.now() - startedAt < SWEEP_MS) {
      await worker.sweep();
      sweptAt = Date.now();
    }
    await sleep(POLL_MS);
  }
  report(Date.now() - startedAt, reset);
} finally {
  await worker.kill();
  service.close();
  rmSync(state, { recursive: true, force: true });
}

async function prepareEmails(): Promise<void> {
  const registered = await fetch(`${origin}/v1/auth/register`, {
    method: 'POST',
    body: JSON.stringify({ email: EMAIL, password: 'a long pass phrase', name: 'Ada' }),
    headers: { 'Content-Type': 'application/json' },
  });
  assert.equal(registered.status, 201, await registered.text());
  await worker.DIRECTORY.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO outbox (recipient, subject, text, html, unsubscribe, created_at, next_attempt_at)
     SELECT 'n' || i || '@example.com', 'News', 'text', '<p>html</p>', 'https://edgework.test/u', ?, ? FROM n`,
  )
    .bind(emails, Date.now(), Date.now() - 2 * MINUTE_MS)
    .run();
  // The registration email must not be mistaken for the password reset.
  while (!service.accepted.has(EMAIL)) await sleep(POLL_MS);
}

async function countDue(): Promise<number> {
  const statement = 'SELECT count(*) AS n FROM outbox WHERE next_attempt_at IS NOT NULL';
  return (await worker.DIRECTORY.prepare(statement).first<number>('n')) ?? 0;
}

function countNotifications({ accepted }: MailService): number {
  return accepted.size - (accepted.has(EMAIL) ? 1 : 0);
}

async function openForm(url: string) {
  const page = await fetch(url);
  const cookie = page.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const inputs = (await page.text()).matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return { cookie, fields: Object.fromEntries([...inputs].map(([, name, value]) => [name, value])) };
}

/** Returns how many milliseconds the email with the link takes, from the submitted form to the mail service. */
async function requestReset(form: Awaited<ReturnType<typeof openForm>>): Promise<number> {
  const countAccepted = () => service.accepted.get(EMAIL) ?? 0;
  const before = countAccepted();
  const askedAt = performance.now();
  const answer = await fetch(`${origin}/forgot-password`, {
    method: 'POST',
    body: new URLSearchParams({ ...form.fields, email: EMAIL }),
    headers: { Origin: origin, Cookie: form.cookie },
  });
  assert.equal(answer.status, 200, await answer.text());
  while (countAccepted() === before && performance.now() - askedAt <= RESET_MS_MAX) await sleep(5);
  return performance.now() - askedAt;
}

/** Counts emails that were accepted, but whose acceptance the killed worker hadn't recorded yet. */
function countUnrecorded(): void {
  const id = readDatabases().find(({ binding }) => binding === 'DIRECTORY')?.id ?? '';
  const database = new DatabaseSync(getDatabaseFile(join(state, 'v3'), id));
  const unsent = database.prepare('SELECT recipient FROM outbox WHERE next_attempt_at IS NOT NULL');
  for (const { recipient } of unsent.all()) {
    const [times = 0, known = 0] = [service.accepted, service.unknown].map((of) => of.get(String(recipient)));
    if (times > known) countOne(service.unknown, String(recipient));
  }
  database.close();
}

function report(ms: number, reset: { ms: number; waiting: number } | null): void {
  const { accepted, unknown, rejected } = service;
  const lost = emails - countNotifications(service);
  const doubled = [...accepted].filter(
    ([recipient, times]) => recipient !== EMAIL && times > 1 + (unknown.get(recipient) ?? 0),
  ).length;
  console.log(
    `${emails} notifications in ${(ms / 1000).toFixed(0)} s, of which the last waited for its retries`,
  );
  console.log(
    `${rejected} calls were rejected; lost: ${lost}, duplicated: ${doubled}, sent again because their acceptance wasn't recorded: ${unknown.size}`,
  );
  console.log(`The reset took ${reset?.ms.toFixed(0)} ms while ${reset?.waiting} notifications waited`);
  assert.deepEqual({ lost, doubled }, { lost: 0, doubled: 0 });
  assert.ok(reset !== null && reset.ms <= RESET_MS_MAX, `the reset took more than ${RESET_MS_MAX} ms`);
  assert.ok(reset.waiting >= WAITING_MIN, `only ${reset.waiting} notifications waited`);
}
