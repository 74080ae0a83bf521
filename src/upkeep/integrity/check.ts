import type { Database } from '../../kernel/sql/database.ts';
import { splitBySize } from '../../kernel/sql/split-by-size.ts';
import {
  isContentKeyCurrent,
  listUnindexedComments,
  sampleSearchableComments,
} from '../../search/index/comment-search-repair.queries.ts';
import {
  hasCurrentKeys,
  listUnindexedTasks,
  sampleSearchableTasks,
} from '../../search/index/search-repair.queries.ts';
import { taskIndex } from '../../search/index/search-repair.ts';
import { areDetailsCurrent, sampleIndexedDetails } from '../../search/index/waiting-details.queries.ts';
import { findOrphanedSessionCopies } from './check-session-copies.ts';
import { directoryInvariants } from './directory-invariants.queries.ts';
import { allIds, type IdRange, type Invariant, OFFENDERS_MAX } from './invariant.queries.ts';
import { buildKeyAgeInvariant, cellInvariants } from './invariants.queries.ts';
import {
  listMembers,
  listMemberships,
  listMembershipsMissingInCell,
  listMembershipsMissingInDirectory,
  type Membership,
} from './memberships.queries.ts';
import { listProjectRangeEnds, listTaskRangeEnds } from './ranges.queries.ts';

export interface CheckResult {
  readonly database: string;
  readonly invariant: string;
  readonly offenders: readonly string[];
  readonly repairedBy?: Invariant['repairedBy'];
}

interface CheckOptions {
  now: number;
  /** False for local databases, whose cron jobs run only while the server is running. */
  hasCron: boolean;
  sample?: number;
  tasksPerRange?: number;
}

const SAMPLE_SIZE = 1_000;
/** D1 allows thirty seconds per statement. Checking a range takes one or two seconds. */
const TASKS_PER_RANGE = 250_000;
const MEMBERS_PER_PAGE = 200;
const COMMENTS_PER_QUERY = 100;
/** How long a new workspace may be missing from its cell. After a crash, only the next sign-in creates it there. */
const MISSING_WORKSPACE_MS_MAX = 60 * 60_000;

/** Only reads, and sends each statement in a separate batch. */
export async function checkData(
  directory: Database,
  cells: ReadonlyMap<number, Database>,
  options: CheckOptions,
): Promise<CheckResult[]> {
  const findings = await checkInvariants('directory', directory, directoryInvariants);
  for (const [no, cell] of cells) findings.push(...(await checkCell(no, cell, options)));
  for (const [no, cell] of cells) {
    findings.push(await checkMemberships(directory, no, cell, options.now));
    findings.push({
      database: `cell ${no}`,
      invariant: 'every browser session in the cell is also open in the directory',
      offenders: await findOrphanedSessionCopies(directory, cell, options.now),
    });
  }
  return findings;
}

export async function checkCell(no: number, cell: Database, options: CheckOptions): Promise<CheckResult[]> {
  const invariants = [...cellInvariants, ...(options.hasCron ? [buildKeyAgeInvariant(options.now)] : [])];
  const findings = await checkInvariants(`cell ${no}`, cell, invariants, options.tasksPerRange);
  const sample = options.sample ?? SAMPLE_SIZE;
  return [
    ...findings,
    await checkSearch(no, cell, sample),
    await checkDetailSearch(no, cell, sample),
    await checkCommentSearch(no, cell, sample),
  ];
}

async function checkInvariants(
  database: string,
  db: Database,
  invariants: readonly Invariant[],
  tasksPerRange = TASKS_PER_RANGE,
): Promise<CheckResult[]> {
  const findings: CheckResult[] = [];
  for (const { name, over, offenders, repairedBy } of invariants) {
    const found: string[] = [];
    for (const range of over ? await listIdRanges(db, over, tasksPerRange) : [allIds]) {
      const [some] = await db.batch([offenders(range)]);
      found.push(...some.map(({ offender }) => offender));
      if (found.length >= OFFENDERS_MAX) break;
    }
    findings.push({
      database,
      invariant: name,
      offenders: found.slice(0, OFFENDERS_MAX),
      ...(repairedBy && { repairedBy }),
    });
  }
  return findings;
}

async function listIdRanges(db: Database, over: 'projects' | 'tasks', tasks: number): Promise<IdRange[]> {
  const list = over === 'projects' ? listProjectRangeEnds : listTaskRangeEnds;
  const [rangeEnds] = await db.batch([list(tasks)]);
  const ends = [...rangeEnds.slice(0, -1).map(({ id }) => id), allIds.to];
  return ends.map((to, index) => ({ from: (ends[index - 1] ?? allIds.from - 1) + 1, to }));
}

async function checkSearch(no: number, cell: Database, count: number): Promise<CheckResult> {
  const [sample] = await cell.batch([sampleSearchableTasks(count)]);
  const offenders = sample
    .filter((task) => !hasCurrentKeys(task))
    .map(({ id }) => `task ${id} has an outdated sort key or search text`);
  for (const part of splitBySize(sample, taskIndex.charactersOf, taskIndex.charactersMax)) {
    const [unfound] = await cell.batch([listUnindexedTasks(part)]);
    offenders.push(
      ...unfound.map(({ id }) => `task ${id} isn't found by a search for its name and description`),
    );
  }
  return {
    database: `cell ${no}`,
    invariant: "a search for a task's text finds the task (sample)",
    offenders: offenders.slice(0, OFFENDERS_MAX),
    repairedBy: 'search',
  };
}

async function checkDetailSearch(no: number, cell: Database, count: number): Promise<CheckResult> {
  const [sample] = await cell.batch([sampleIndexedDetails(count)]);
  const offenders = sample
    .filter((task) => !areDetailsCurrent(task))
    .map(({ id }) => `task ${id} has outdated search text for its checklist, tags or fields`);
  return {
    database: `cell ${no}`,
    invariant: "a search for a task's checklist, tags and fields finds the task (sample)",
    offenders: offenders.slice(0, OFFENDERS_MAX),
    repairedBy: 'search',
  };
}

async function checkCommentSearch(no: number, cell: Database, count: number): Promise<CheckResult> {
  const [sample] = await cell.batch([sampleSearchableComments(count)]);
  const offenders = sample
    .filter((comment) => !isContentKeyCurrent(comment))
    .map(({ id }) => `comment ${id} has outdated search text`);
  for (let from = 0; from < sample.length; from += COMMENTS_PER_QUERY) {
    const page = sample.slice(from, from + COMMENTS_PER_QUERY);
    const [unfound] = await cell.batch([listUnindexedComments(page)]);
    offenders.push(...unfound.map(({ id }) => `comment ${id} isn't found by a search for its first words`));
  }
  return {
    database: `cell ${no}`,
    invariant: "a search for a comment's text finds the comment (sample)",
    offenders: offenders.slice(0, OFFENDERS_MAX),
    repairedBy: 'search',
  };
}

async function checkMemberships(
  directory: Database,
  no: number,
  cell: Database,
  now: number,
): Promise<CheckResult> {
  const offenders: string[] = [];
  const isDue = ({ since }: Membership) => since < now - MISSING_WORKSPACE_MS_MAX;
  const describeMembership = ({ user_id, workspace_id }: Membership) =>
    `the membership of ${user_id} in ${workspace_id}`;
  for (let after = { user_id: '', workspace_id: '' }; ; ) {
    const [page] = await directory.batch([listMemberships(no, after, MEMBERS_PER_PAGE)]);
    const [missing] = await cell.batch([listMembershipsMissingInCell(page)]);
    offenders.push(
      ...missing.filter(isDue).map((each) => `${describeMembership(each)} exists only in the directory`),
    );
    const last = page.at(-1);
    if (!last || page.length < MEMBERS_PER_PAGE || offenders.length >= OFFENDERS_MAX) break;
    after = last;
  }
  for (let after = 0; ; ) {
    const [page] = await cell.batch([listMembers(after, MEMBERS_PER_PAGE)]);
    const [missing] = await directory.batch([listMembershipsMissingInDirectory(page, no)]);
    offenders.push(...missing.map((each) => `${describeMembership(each)} exists only in the cell`));
    const last = page.at(-1);
    if (!last || page.length < MEMBERS_PER_PAGE || offenders.length >= OFFENDERS_MAX) break;
    after = last.no;
  }
  return {
    database: `cell ${no}`,
    invariant: 'members of the cell match the memberships in the directory',
    offenders: offenders.slice(0, OFFENDERS_MAX),
    repairedBy: 'memberships',
  };
}
