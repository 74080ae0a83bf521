// `bench/soak/run.ts --minutes 10`: many callers work on a server that is killed repeatedly. Afterwards, every
// acknowledged write must exist once, three webhooks must have received the whole log in order, a copy made from the
// feed must equal the lists, and no invariant may be violated. Otherwise it exits with 1. With `--versions`, restarts
// alternate between this code and the code from before the newest migration, as during a deployment.
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabases } from '../../scripts/operate/databases.ts';
import { prepareServer, type RunningServer, startServer } from '../../scripts/own-server.ts';
import { type CheckResult, checkData } from '../../src/upkeep/integrity/check.ts';
import { type Caller, openCaller } from './caller.ts';
import { figures, openClient } from './client.ts';
import { openCopy } from './copy.ts';
import { type Hooks, openHooks } from './hooks.ts';
import { gatherPeople, grantTokens, type Person } from './people.ts';
import { checkOutPrevious, type PreviousVersion } from './previous-version.ts';
import { type ComparedFiles, type ComparedRecords, compareFiles, compareRecords } from './verify.ts';

const FRESH_WORKSPACES = 4;
const UP_MS_MIN = 8_000;
const UP_MS_SPREAD = 14_000;
const ACTIONS_MAX = 200_000;
const BESIDE_WORK_MS_MAX = 15 * 60_000;
const JOBS_MS = 7_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    callers: { type: 'string', default: '12' },
    versions: { type: 'boolean', default: false },
  },
});
const minutes = parseInRange('minutes', values.minutes, 0.2, 120);
const callerCount = parseInRange('callers', values.callers, 1, 64);

// Exits explicitly, which also ends the server. Otherwise, its process group would outlive this process.
let forget: () => void = () => undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    process.once('exit', () => forget());
    process.exit(1);
  });
}
setTimeout(
  () => {
    console.error('The soak did not finish in time.');
    process.exit(1);
  },
  minutes * 60_000 + BESIDE_WORK_MS_MAX,
).unref();

console.log('Preparing a server …');
const server = await prepareServer('soak');
forget = server.remove;
const problems: string[] = [];
let running: RunningServer | null = await startServer(server);
let hooks: Hooks | null = null;
let logs = '';
let kills = 0;
let previous: PreviousVersion | null = null;
let actions = 0;
let liveChecks = 0;
const workTill = { time: 0 };

try {
  if (values.versions) previous = checkOutPrevious();
  const people = await gatherPeople(server.origin, FRESH_WORKSPACES);
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
    return openCaller(person, number, { keepsTime: number < granted.length });
  });
  const [owner] = granted;
  if (!owner) throw new Error('No one could sign in');
  hooks = await openHooks(owner.client);
  const copy = await openCopy(server.origin, owner.key);
  console.log(`${callerCount} callers, ${granted.length} people, ${minutes} minutes …`);
  workTill.time = Date.now() + minutes * 60_000;
  await Promise.all([killServerRepeatedly(), runJobs(), ...callers.map(work)]);
  // Kills the server once more, without letting it finish.
  await stopServer('SIGKILL');
  running = await startServer(server, previous ? false : undefined);
  const files = await compareFiles(callers);
  problems.push(...files.wrong.map((each) => `file ${each}`));
  await hooks.comeBack();
  const told = await hooks.compare();
  const copied = await copy.compare(owner.client);
  problems.push(...told.problems, ...copied.problems);
  await stopServer('SIGTERM');
  const compared = await compareRecords(server.state, callers);
  problems.push(...compared.problems);
  const findings = await checkDatabases();
  if (/counters\.repaired/.test(logs)) problems.push('the nightly job found a counter that was wrong');
  report(compared, files, { ...told, copied: copied.tasks }, findings);
} finally {
  hooks?.close();
  await running?.kill();
  previous?.remove();
  if (problems.length === 0) server.remove();
  else console.log(`Its databases are kept in ${server.state}.`);
}
process.exitCode = problems.length === 0 ? 0 : 1;

async function work(caller: Caller): Promise<void> {
  while (Date.now() < workTill.time && actions < ACTIONS_MAX) {
    actions += 1;
    try {
      await caller.act();
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
    const wait = UP_MS_MIN + Math.random() * UP_MS_SPREAD;
    if (Date.now() + wait > workTill.time) return;
    await sleep(wait);
    await Promise.all([stopServer('SIGKILL'), hooks?.goDown()]);
    kills += 1;
    running =
      previous && kills % 2 === 1
        ? await startServer(server, false, previous.folder)
        : await startServer(server, previous ? false : undefined);
    await hooks?.comeBack();
    console.log(
      `  ${figures.requests} requests, ${figures.acknowledged} writes acknowledged, ${kills} kills`,
    );
  }
}

/** Runs all crons, including the nightly one, far more often than scheduled. */
async function runJobs() {
  for (let turn = 0; Date.now() < workTill.time; turn += 1) {
    await sleep(JOBS_MS);
    const cron = turn % 4 === 3 ? '17 3 * * *' : '* * * * *';
    running?.fire(cron);
    // The invariants are true between any two transactions, so they can be checked under load.
    const off = (await checkDatabases()).filter(({ offenders }) => offenders.length > 0);
    for (const { invariant, offenders } of off)
      problems.push(`at work: ${invariant}: ${offenders.join('; ')}`);
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

function report(
  compared: ComparedRecords,
  files: ComparedFiles,
  told: { readonly events: number; readonly attempts: number; readonly copied: number },
  findings: readonly CheckResult[],
): void {
  const off = findings.filter(({ offenders }) => offenders.length > 0);
  for (const { invariant, offenders } of off) problems.push(`${invariant}: ${offenders.join('; ')}`);
  const sorted = figures.milliseconds.toSorted((a, b) => a - b);
  const quantile = (share: number) => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`;
  const lines = {
    requests: figures.requests,
    'of them without an answer': figures.unanswered,
    'of them answered 5xx': figures.serverErrors,
    'median, 95th percentile': `${quantile(0.5)}, ${quantile(0.95)}`,
    'kills (SIGKILL) survived': kills,
    'starts of the previous version': previous ? Math.ceil(kills / 2) : 0,
    'writes acknowledged': figures.acknowledged,
    'of them answered again by their key': figures.replayed,
    'facts compared': compared.compared,
    'acknowledged writes lost': compared.lost,
    'acknowledged writes doubled': compared.doubled,
    'MCP calls without an answer, carried out': `${compared.uncertain}, ${compared.uncertainDone}`,
    'files fetched and compared': `${files.fetched} of ${files.of}`,
    'events that each of three webhooks told': told.events,
    'attempts at that': told.attempts,
    'tasks of a copy by the feed, every field': told.copied,
    'checks of all invariants at work': liveChecks,
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
