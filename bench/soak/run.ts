// `bench/soak/run.ts --minutes 10` runs many concurrent callers against a server that is repeatedly killed. Afterwards,
// every acknowledged write must exist exactly once, three webhooks must have received the whole event log in order, a
// copy of the tasks made from the event feed must equal the task lists, and no invariant may be violated. Otherwise,
// the bench exits with code 1. With `--versions`, restarts alternate between this code and the code from before the
// newest migration, as during a deployment.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabases } from '../../scripts/operate/databases.ts';
import { prepareServer, type RunningServer, startServer } from '../../scripts/own-server.ts';
import { type CheckResult, checkData } from '../../src/upkeep/integrity/check.ts';
import { type Caller, openCaller } from './caller.ts';
import { figures, openClient } from './client.ts';
import { grantTokens, type Person, signInPeople } from './people.ts';
import { checkOutPreviousVersion, type PreviousVersion } from './previous-version.ts';
import { startTaskCopy } from './task-copy.ts';
import { type ComparedFiles, type ComparedRecords, compareFiles, compareRecords } from './verify.ts';
import { type SoakWebhooks, startWebhooks } from './webhooks.ts';

const NEW_WORKSPACES = 4;
const UPTIME_MS_MIN = 8_000;
const UPTIME_MS_SPREAD = 14_000;
const ACTIONS_MAX = 200_000;
const OVERHEAD_MS_MAX = 15 * 60_000;
const JOB_INTERVAL_MS = 7_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    callers: { type: 'string', default: '12' },
    versions: { type: 'boolean', default: false },
  },
});
const minutes = parseInRange('minutes', values.minutes, 0.2, 120);
const callerCount = parseInRange('callers', values.callers, 1, 64);

// On these signals, exits explicitly, which also stops the server. Otherwise, the server's process group would outlive
// this process.
let removeServer: () => void = () => undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    process.once('exit', () => removeServer());
    process.exit(1);
  });
}
setTimeout(
  () => {
    console.error('The soak did not finish in time.');
    process.exit(1);
  },
  minutes * 60_000 + OVERHEAD_MS_MAX,
).unref();

console.log('Preparing a server …');
const server = await prepareServer('soak');
removeServer = server.remove;
const problems: string[] = [];
let running: RunningServer | null = await startServer(server);
let webhooks: SoakWebhooks | null = null;
let logs = '';
let kills = 0;
let previous: PreviousVersion | null = null;
let actions = 0;
let liveChecks = 0;
const workUntil = { time: 0 };

try {
  if (values.versions) previous = checkOutPreviousVersion();
  const people = await signInPeople(server.origin, NEW_WORKSPACES);
  await stopServer('SIGKILL');
  const since = Date.now();
  const granted = (await grantTokens(server, people)).map(
    (person): Person => ({
      ...person,
      since,
      stranger: openClient(server.origin),
    }),
  );
  await sleep(5);
  running = await startServer(server);
  const callers = Array.from({ length: callerCount }, (_, number) => {
    const person = granted[number % granted.length];
    if (!person) throw new Error('No one could sign in');
    return openCaller(person, number, { tracksTime: number < granted.length });
  });
  const [owner] = granted;
  if (!owner) throw new Error('No one could sign in');
  webhooks = await startWebhooks(owner.client);
  const copy = await startTaskCopy(server.origin, owner.key);
  console.log(`${callerCount} callers, ${granted.length} people, ${minutes} minutes …`);
  workUntil.time = Date.now() + minutes * 60_000;
  await Promise.all([killServerRepeatedly(), runJobsRepeatedly(), ...callers.map(runCaller)]);
  // Kills the server once more, without letting it finish its work.
  await stopServer('SIGKILL');
  running = await startServer(server, previous ? false : undefined);
  const files = await compareFiles(callers);
  problems.push(...files.wrong.map((each) => `file ${each}`));
  await webhooks.restartReceiver();
  const delivered = await webhooks.compare();
  const copied = await copy.compare(owner.client);
  problems.push(...delivered.problems, ...copied.problems);
  await stopServer('SIGTERM');
  const compared = await compareRecords(server.state, callers);
  problems.push(...compared.problems);
  const findings = await checkDatabases();
  if (/counters\.repaired/.test(logs)) problems.push('the nightly job found a wrong counter');
  printReport(compared, files, { ...delivered, copied: copied.tasks }, findings);
} finally {
  webhooks?.close();
  await running?.kill();
  previous?.remove();
  if (problems.length === 0) server.remove();
  else console.log(`Its databases are kept in ${server.state}.`);
}
process.exitCode = problems.length === 0 ? 0 : 1;

async function runCaller(caller: Caller): Promise<void> {
  while (Date.now() < workUntil.time && actions < ACTIONS_MAX) {
    actions += 1;
    try {
      await caller.takeRandomStep();
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      problems.push(problem);
      console.error(problem);
      return;
    }
  }
}

async function killServerRepeatedly() {
  for (;;) {
    const wait = UPTIME_MS_MIN + Math.random() * UPTIME_MS_SPREAD;
    if (Date.now() + wait > workUntil.time) return;
    await sleep(wait);
    await Promise.all([stopServer('SIGKILL'), webhooks?.stopReceiver()]);
    kills += 1;
    running =
      previous && kills % 2 === 1
        ? await startServer(server, false, previous.folder)
        : await startServer(server, previous ? false : undefined);
    await webhooks?.restartReceiver();
    console.log(
      `  ${figures.requests} requests, ${figures.acknowledged} writes acknowledged, ${kills} kills`,
    );
  }
}

/** Runs all crons, including the nightly one, far more often than scheduled. */
async function runJobsRepeatedly() {
  for (let turn = 0; Date.now() < workUntil.time; turn += 1) {
    await sleep(JOB_INTERVAL_MS);
    const cron = turn % 4 === 3 ? '17 3 * * *' : '* * * * *';
    running?.fire(cron);
    // The invariants hold between any two transactions, so they can be checked under load.
    const off = (await checkDatabases()).filter(({ offenders }) => offenders.length > 0);
    for (const { invariant, offenders } of off)
      problems.push(`under load: ${invariant}: ${offenders.join('; ')}`);
    liveChecks += 1;
  }
}

async function stopServer(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const ended = running;
  running = null;
  if (!ended) return;
  await (signal === 'SIGKILL' ? ended.kill() : ended.stop());
  logs += ended
    .output()
    .split('\n')
    .filter((line) => /"level":"error"|counters\.repaired/.test(line))
    .join('\n');
}

async function checkDatabases(): Promise<CheckResult[]> {
  const databases = await openDatabases({ persistTo: server.state });
  try {
    const options = { now: Date.now(), hasCron: true, sample: 20_000 };
    return await checkData(databases.directory, databases.cells, options);
  } finally {
    await databases.close();
  }
}

function printReport(
  compared: ComparedRecords,
  files: ComparedFiles,
  delivered: { readonly events: number; readonly attempts: number; readonly copied: number },
  findings: readonly CheckResult[],
): void {
  const off = findings.filter(({ offenders }) => offenders.length > 0);
  for (const { invariant, offenders } of off) problems.push(`${invariant}: ${offenders.join('; ')}`);
  const sorted = figures.milliseconds.toSorted((a, b) => a - b);
  const quantile = (share: number) => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`;
  const lines = {
    requests: figures.requests,
    'requests without a response': figures.unanswered,
    'responses with a 5xx status': figures.serverErrors,
    'median, 95th percentile': `${quantile(0.5)}, ${quantile(0.95)}`,
    'kills (SIGKILL) survived': kills,
    'starts of the previous version': previous ? Math.ceil(kills / 2) : 0,
    'writes acknowledged': figures.acknowledged,
    'writes replayed by idempotency key': figures.replayed,
    'facts compared': compared.compared,
    'acknowledged writes lost': compared.lost,
    'acknowledged writes duplicated': compared.doubled,
    'MCP calls with unknown outcome, executed': `${compared.uncertain}, ${compared.uncertainDone}`,
    'files fetched and compared': `${files.fetched} of ${files.of}`,
    'events delivered to each of 3 webhooks': delivered.events,
    'delivery attempts to all webhooks': delivered.attempts,
    'tasks compared with a copy from the feed': delivered.copied,
    'checks of all invariants under load': liveChecks,
    'invariants at the end': `${findings.length - off.length} of ${findings.length} hold`,
    problems: problems.length,
  };
  console.log();
  for (const [name, value] of Object.entries(lines)) console.log(`${name.padEnd(42)} ${value}`);
  for (const problem of problems.slice(0, 50)) console.log(`  ${problem}`);
  if (problems.length === 0) return;
  writeFileSync(join(server.state, 'problems.txt'), problems.join('\n'));
  appendFileSync(join(server.state, 'errors.log'), logs);
}

function parseInRange(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (number >= least && number <= most) return number;
  console.error(`--${name} must be ${least} to ${most}; got '${text}'.`);
  process.exit(1);
}
