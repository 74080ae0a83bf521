// Sends many notifications through the queues while the mail service rejects some of them, and then requests a password
// reset.
//   node scripts/install.mjs bench/mail.ts [--emails 20000] [--failures 0.01]
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bundle } from '../scripts/bundle.ts';
import { root } from '../scripts/databases.ts';
import { findFreePort } from '../scripts/local.ts';
import { openRuntime, readWorker, toWorkerModules } from '../scripts/runtime.ts';
import { runWrangler } from '../scripts/wrangler.ts';
import { SESSION_SECRET } from './runtime.ts';

const { values } = parseArgs({
  options: {
    emails: { type: 'string', default: '20000' },
    failures: { type: 'string', default: '0.01' },
  },
});
const emails = Number(values.emails);
const MINUTE_MS = 60_000;
const SWEEP_MS = 5_000;
const POLL_MS = 500;
const EMAIL = 'ada@edgework.test';

/** A mail service that rejects a share of the emails, and counts the emails that it accepts. */
const mailService = `
  import { WorkerEntrypoint } from 'cloudflare:workers';
  const accepted = new Map();
  let failed = 0;
  let resetAt = null;
  export default class extends WorkerEntrypoint {
    async send({ to, subject }) {
      if (Math.random() < ${Number(values.failures)}) {
        failed += 1;
        throw new Error('The mail service is busy');
      }
      const key = to + ' ' + subject;
      accepted.set(key, (accepted.get(key) ?? 0) + 1);
      if (subject.startsWith('Reset')) resetAt ??= Date.now();
      return { messageId: key };
    }
    async fetch() {
      const notifications = [...accepted].filter(([key]) => key.startsWith('n'));
      const doubled = [...accepted.values()].filter((times) => times > 1).length;
      return Response.json({ notifications: notifications.length, doubled, failed, resetAt });
    }
  }`;

interface MailServiceReport {
  notifications: number;
  doubled: number;
  failed: number;
  resetAt: number | null;
}

const state = mkdtempSync(join(tmpdir(), 'edgework-mail-'));
process.chdir(root);
runWrangler(['d1', 'migrations', 'apply', 'DIRECTORY', '--local', `--persist-to=${state}`]);
runWrangler(['d1', 'migrations', 'apply', 'CELL_0', '--local', `--persist-to=${state}`]);
const port = await findFreePort();
const origin = `http://localhost:${port}`;
const { email: _email, ...options } = readWorker().options;
const { compatibilityDate } = options;
const runtime = await openRuntime({
  port,
  folder: join(state, 'v3'),
  handleStructuredLogs: () => undefined,
  workers: [
    {
      ...options,
      ...toWorkerModules(bundle(null, join(state, 'bundle'), { minify: true })),
      bindings: {
        ...options.bindings,
        SESSION_SECRET,
        PUBLIC_URL: origin,
        MAIL_FROM: 'no-reply@edgework.test',
      },
      serviceBindings: { EMAIL: 'mail-service' },
    },
    { name: 'mail-service', compatibilityDate, modules: true, script: mailService },
  ],
});

try {
  const app = await runtime.getWorker(options.name);
  const service = await runtime.getWorker('mail-service');
  const report = async () => (await (await service.fetch('http://mail')).json()) as MailServiceReport;
  const sweep = () => app.scheduled({ cron: '* * * * *' });
  const post = (path: string, fields: Record<string, string>) =>
    fetch(origin + path, {
      method: 'POST',
      body: JSON.stringify(fields),
      headers: { 'Content-Type': 'application/json' },
    });

  const registered = await post('/v1/auth/register', {
    email: EMAIL,
    password: 'a long pass phrase',
    name: 'Ada',
  });
  assert.equal(registered.status, 201, await registered.text());
  const { DIRECTORY } = await runtime.getBindings<{ DIRECTORY: D1Database }>(options.name);
  await DIRECTORY.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO outbox (recipient, subject, text, html, unsubscribe, created_at, next_attempt_at)
     SELECT 'n' || i || '@example.com', 'News', 'text', '<p>html</p>', 'https://edgework.test/u', ?, ? FROM n`,
  )
    .bind(emails, Date.now(), Date.now() - 2 * MINUTE_MS)
    .run();

  const form = await openForm(`${origin}/forgot-password`);
  const startedAt = Date.now();
  let waiting = 0;
  let askedAt: number | null = null;
  let sweptAt = 0;
  for (;;) {
    const { notifications, doubled, failed, resetAt } = await report();
    const due = await DIRECTORY.prepare(
      'SELECT count(*) AS n FROM outbox WHERE next_attempt_at IS NOT NULL',
    ).first<number>('n');
    if (due === 0) {
      const seconds = (Date.now() - startedAt) / 1000;
      console.log(
        `${emails} notifications in ${seconds.toFixed(0)} s, of which the last waited for its retries`,
      );
      console.log(`${failed} calls failed; lost: ${emails - notifications}, doubled: ${doubled}`);
      console.log(
        `The reset took ${(resetAt ?? 0) - (askedAt ?? 0)} ms while ${waiting} notifications waited`,
      );
      break;
    }
    // Requests the reset once some notifications have been sent, while the others are still waiting.
    if (askedAt === null && notifications > 0) {
      waiting = emails - notifications;
      askedAt = Date.now();
      const asked = await fetch(`${origin}/forgot-password`, {
        method: 'POST',
        body: new URLSearchParams({ ...form.fields, email: EMAIL }),
        headers: { Origin: origin, Cookie: form.cookie },
      });
      assert.equal(asked.status, 200, await asked.text());
    }
    if (Date.now() - sweptAt > SWEEP_MS || Date.now() - startedAt < SWEEP_MS) {
      await sweep();
      sweptAt = Date.now();
    }
    await sleep(POLL_MS);
  }
} finally {
  await runtime.dispose();
  rmSync(state, { recursive: true, force: true });
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
