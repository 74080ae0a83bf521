import type { Database } from '../kernel/database.ts';
import { isFolded, listUnfound, sampleTexts } from '../tasks/search-repair.queries.ts';
import { inParts } from '../tasks/search-repair.ts';
import {
  cellInvariants,
  directoryInvariants,
  type Invariant,
  keysAreYoung,
  OFFENDERS_MAX,
} from './invariants.queries.ts';
import {
  listMembers,
  listMemberships,
  listMissingMembers,
  listMissingMemberships,
  type Membership,
} from './memberships.queries.ts';

/** What a check found: nothing wrong where there are no offenders. */
export interface Finding {
  readonly database: string;
  readonly invariant: string;
  readonly offenders: readonly string[];
  readonly mendedBy?: Invariant['mendedBy'];
}

interface CheckOptions {
  now: number;
  /** Whether the cron runs here; it does not on a developer's machine. */
  hasCron: boolean;
  /** How many tasks of a cell are searched for by their own texts. */
  sample?: number;
}

const SAMPLE = 1_000;
const MEMBERS_A_PAGE = 200;
/** A workspace that was promised and not filled yet is filled by the next sign-in. */
const UNFILLED_MS_MAX = 60 * 60_000;

/** Every invariant of the directory, of each cell, and between the two. Reads only; a statement a batch. */
export async function checkData(
  directory: Database,
  cells: ReadonlyMap<number, Database>,
  options: CheckOptions,
): Promise<Finding[]> {
  const findings = await checkAll('directory', directory, directoryInvariants);
  for (const [no, cell] of cells) findings.push(...(await checkCell(no, cell, options)));
  for (const [no, cell] of cells) findings.push(await checkMemberships(directory, no, cell, options.now));
  return findings;
}

export async function checkCell(no: number, cell: Database, options: CheckOptions): Promise<Finding[]> {
  const invariants = [...cellInvariants, ...(options.hasCron ? [keysAreYoung(options.now)] : [])];
  const findings = await checkAll(`cell ${no}`, cell, invariants);
  return [...findings, await checkSearch(no, cell, options.sample ?? SAMPLE)];
}

async function checkAll(
  database: string,
  db: Database,
  invariants: readonly Invariant[],
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { name, offenders, mendedBy } of invariants) {
    const [found] = await db.batch([offenders]);
    findings.push({
      database,
      invariant: name,
      offenders: found.map(({ offender }) => offender),
      ...(mendedBy && { mendedBy }),
    });
  }
  return findings;
}

/** Texts are folded here and not by SQLite, so that this one is more than a statement. */
async function checkSearch(no: number, cell: Database, count: number): Promise<Finding> {
  const [sample] = await cell.batch([sampleTexts(count)]);
  const offenders = sample
    .filter((task) => !isFolded(task))
    .map(({ id }) => `task ${id} is sorted by another name`);
  for (const part of inParts(sample)) {
    const [unfound] = await cell.batch([listUnfound(part)]);
    offenders.push(...unfound.map(({ id }) => `task ${id} is not found by its own name and description`));
  }
  return {
    database: `cell ${no}`,
    invariant: 'a search for the texts of a task finds it (sample)',
    offenders: offenders.slice(0, OFFENDERS_MAX),
    mendedBy: 'search',
  };
}

async function checkMemberships(
  directory: Database,
  no: number,
  cell: Database,
  now: number,
): Promise<Finding> {
  const offenders: string[] = [];
  const isDue = ({ since }: Membership) => since < now - UNFILLED_MS_MAX;
  const name = ({ user_id, workspace_id }: Membership) => `${user_id} in ${workspace_id}`;
  for (let after = { user_id: '', workspace_id: '' }; ; ) {
    const [page] = await directory.batch([listMemberships(no, after, MEMBERS_A_PAGE)]);
    const [missing] = await cell.batch([listMissingMembers(page)]);
    offenders.push(
      ...missing.filter(isDue).map((each) => `${name(each)} is a member by the directory alone`),
    );
    const last = page.at(-1);
    if (!last || page.length < MEMBERS_A_PAGE || offenders.length >= OFFENDERS_MAX) break;
    after = last;
  }
  for (let after = 0; ; ) {
    const [page] = await cell.batch([listMembers(after, MEMBERS_A_PAGE)]);
    const [missing] = await directory.batch([listMissingMemberships(page, no)]);
    offenders.push(...missing.map((each) => `${name(each)} is a member by the cell alone`));
    const last = page.at(-1);
    if (!last || page.length < MEMBERS_A_PAGE || offenders.length >= OFFENDERS_MAX) break;
    after = last.no;
  }
  return {
    database: `cell ${no}`,
    invariant: 'members of the cell and memberships of the directory are the same',
    offenders: offenders.slice(0, OFFENDERS_MAX),
  };
}
