import { parseArgs } from 'node:util';
import type { Database } from '../src/kernel/sql/database.ts';
import { revokeAccess } from '../src/upkeep/incidents/revoke.ts';
import { listStuckWebhooks, pauseWebhook } from '../src/upkeep/incidents/stuck-webhooks.queries.ts';
import { listFailedEmails, requeueAbandonedEmails } from '../src/upkeep/incidents/unsent-emails.queries.ts';
import { checkData } from '../src/upkeep/integrity/check.ts';
import { rebuildSearch } from '../src/upkeep/integrity/rebuild-search.ts';
import { copyCellMemberships, repairCellCounters, repairSearch } from '../src/upkeep/integrity/repair.ts';
import { findPlacement } from '../src/workspaces/directory/directory.queries.ts';
import { setPlan } from '../src/workspaces/settings/set-plan.ts';
import { type OpenDatabases, openDatabases } from './operate/databases.ts';

const USAGE = `node scripts/install.mjs scripts/operate.ts <command> [--remote | --persist-to=<directory>]

  check [--repair]                    compares counters, indexes and references with the rows they derive from
  rebuild-search [--from-scratch]     builds the search indexes from tasks and comments; --from-scratch empties them first
  plan <workspace> <free|medium|pro>  changes the plan of a workspace without deleting anything
  revoke <key, token or id>           revokes a leaked credential, or all credentials of a person, app or workspace, by id
  emails [again [id]]                 lists unsent email; again resends abandoned email
  webhooks [pause <workspace> <id>]   lists failing and stopped webhooks; pause pauses one

Without --remote, it uses the databases on this machine. Stop the local server before a command that writes.`;
const ROWS_SHOWN_MAX = 100;
const plans = ['free', 'medium', 'pro'] as const;
const ID_PATTERN = /^\d{1,15}$/;

interface Command {
  readonly isWritten: boolean;
  run(databases: OpenDatabases): Promise<void>;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remote: { type: 'boolean', default: false },
    'persist-to': { type: 'string' },
    repair: { type: 'boolean', default: false },
    'from-scratch': { type: 'boolean', default: false },
  },
});
const command = findCommand(positionals);
if (!command) {
  console.error(USAGE);
  process.exit(2);
}
const databases = await openDatabases({
  isRemote: values.remote,
  isWritten: command.isWritten,
  ...(values['persist-to'] && { persistTo: values['persist-to'] }),
});
try {
  await command.run(databases);
} catch (error) {
  if (!(error instanceof Error) || !/no such (table|column|index)/.test(error.message)) throw error;
  fail(`${error.message}. Apply the migrations of this version: npm start, or npm run deploy.`);
} finally {
  await databases.close();
}

function findCommand([name, ...words]: string[]): Command | null {
  const [first = '', second = '', third = ''] = words;
  const hasWords = (count: number) => words.length === count;
  if (name === 'check' && hasWords(0)) return { isWritten: values.repair, run: checkDatabases };
  if (name === 'rebuild-search' && hasWords(0)) return { isWritten: true, run: rebuildSearchIndexes };
  const plan = plans.find((each) => each === second);
  if (name === 'plan' && plan && hasWords(2)) {
    return { isWritten: true, run: (opened) => changePlan(opened, first, plan) };
  }
  if (name === 'revoke' && hasWords(1))
    return { isWritten: true, run: (opened) => revokeSubject(opened, first) };
  if (name === 'emails' && hasWords(0)) return { isWritten: false, run: showEmails };
  if (name === 'emails' && first === 'again' && (hasWords(1) || (hasWords(2) && ID_PATTERN.test(second)))) {
    return { isWritten: true, run: (opened) => requeueEmails(opened, hasWords(2) ? Number(second) : null) };
  }
  if (name === 'webhooks' && hasWords(0)) return { isWritten: false, run: showWebhooks };
  if (name === 'webhooks' && first === 'pause' && hasWords(3) && ID_PATTERN.test(third)) {
    return { isWritten: true, run: (opened) => pauseWebhookById(opened, second, Number(third)) };
  }
  return null;
}

function fail(message: string) {
  console.error(message);
  process.exitCode = 1;
}

async function checkDatabases(opened: OpenDatabases) {
  if ((await checkInvariants(opened)) || !values.repair) return;
  for (const [no, cell] of opened.cells) {
    const repaired = [
      ...(await repairCellCounters(cell)),
      ...(await copyCellMemberships(
        { directory: opened.directory, cell: createCellFinder(opened) },
        no,
        Date.now(),
      )),
      ...(await repairSearch(cell)),
    ];
    for (const each of repaired) console.log(`repaired  cell ${no}  ${each}`);
  }
  if (await checkInvariants(opened)) process.exitCode = 0;
}

function createCellFinder({ cells }: OpenDatabases) {
  return (no: number): Database => {
    const cell = cells.get(no);
    if (!cell) throw new Error(`wrangler.toml has no database for cell ${no}`);
    return cell;
  };
}

async function checkInvariants({ directory, cells }: OpenDatabases): Promise<boolean> {
  const findings = await checkData(directory, cells, { now: Date.now(), hasCron: values.remote });
  const width = Math.max(...findings.map(({ database }) => database.length));
  for (const { database, invariant, offenders } of findings) {
    console.log(`${offenders.length === 0 ? 'ok  ' : 'FAIL'}  ${database.padEnd(width)}  ${invariant}`);
    for (const offender of offenders) console.log(`        ${offender}`);
  }
  const off = findings.filter(({ offenders }) => offenders.length > 0);
  const repairable = off.filter(({ repairedBy }) => repairedBy).length;
  if (off.length === 0) console.log(`All ${findings.length} invariants hold.`);
  else
    fail(
      `${off.length} of ${findings.length} invariants are violated; --repair can fix ${repairable} of them.`,
    );
  return off.length === 0;
}

async function rebuildSearchIndexes({ cells }: OpenDatabases) {
  for (const [no, cell] of cells) {
    const { tasks, comments } = await rebuildSearch(cell, { fromScratch: values['from-scratch'] });
    console.log(`cell ${no}: ${tasks} tasks and ${comments} comments indexed`);
  }
}

async function changePlan(opened: OpenDatabases, workspace: string, plan: (typeof plans)[number]) {
  const before = await setPlan(opened, workspace, plan);
  if (before === null) fail(`There is no workspace ${workspace}. GET /v1/workspaces shows the ids.`);
  else if (before === plan) console.log(`${workspace} is already on ${plan}.`);
  else console.log(`${workspace}: ${before} → ${plan}`);
}

async function revokeSubject(opened: OpenDatabases, subject: string) {
  const revoked = await revokeAccess(opened, subject, Date.now());
  if (revoked === null) {
    return fail('This is not a key or token of this deployment. It may be incomplete. Nothing was changed.');
  }
  for (const { kind, id, name } of revoked) console.log(`${kind} ${id}  ${name}`);
  console.log(`${revoked.length} revoked.`);
  if (revoked.length === 0) {
    fail('Nothing was revoked: it has no valid credentials, or you mistyped it.');
  }
}

async function showEmails({ directory }: OpenDatabases) {
  const [emails] = await directory.batch([listFailedEmails(ROWS_SHOWN_MAX)]);
  for (const { id, recipient, subject, attempts, next_attempt_at: next, last_error } of emails) {
    const state = next === null ? 'abandoned' : `next attempt at ${new Date(next).toISOString()}`;
    console.log(`${id}  ${recipient}  "${subject}"  ${state} (attempts: ${attempts})  ${last_error ?? ''}`);
  }
  console.log(`${formatCount(emails)} unsent.`);
}

async function requeueEmails({ directory }: OpenDatabases, id: number | null) {
  const [sent] = await directory.batch([requeueAbandonedEmails(id)]);
  console.log(`${sent.length} will be sent within a minute.`);
  if (id !== null && sent.length === 0) fail(`Email ${id} was not abandoned.`);
}

async function showWebhooks({ cells }: OpenDatabases) {
  for (const [no, cell] of cells) {
    const [webhooks] = await cell.batch([listStuckWebhooks(ROWS_SHOWN_MAX)]);
    for (const webhook of webhooks) {
      const { workspace, id, url, status, stop_reason: reason, failing_since: since, failures } = webhook;
      const failing =
        since && `failing since ${new Date(since).toISOString()} (failed attempts: ${failures})`;
      const state = reason ? `${status}: ${reason}` : status;
      const parts = [`${workspace} ${id}`, url, state, failing, `${webhook.behind} events behind`];
      console.log([...parts, webhook.last_error].filter(Boolean).join('  '));
    }
    console.log(`Cell ${no}: ${formatCount(webhooks)}`);
  }
}

async function pauseWebhookById({ directory, cells }: OpenDatabases, workspace: string, id: number) {
  const [placement] = await directory.batch([findPlacement(workspace)]);
  const cell = placement && cells.get(placement.cell);
  const [paused] = cell ? await cell.batch([pauseWebhook(workspace, id)]) : [[]];
  if (paused.length === 0) fail(`${workspace} has no active webhook ${id}.`);
  else console.log(`Webhook ${id} of ${workspace} is paused. Its creator can resume it.`);
}

function formatCount(rows: readonly unknown[]): string {
  return rows.length === ROWS_SHOWN_MAX ? `${ROWS_SHOWN_MAX} or more` : String(rows.length);
}
