import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { type Assignees, isAssignedTo, numbersOf, onlyPerson } from './assignees.queries.ts';
import { bucketList, bucketSum, followedSum, memberNumber } from './counts.queries.ts';

export interface TotalFilter {
  buckets: readonly number[];
  projectId?: number | undefined;
  assignees?: Assignees | undefined;
}

/** The counter rows to read: those of one assignee, or member 0 for everyone. Null where several are asked for. */
function memberOrAll(caller: Caller, assignees: Assignees | undefined): SQL | null {
  if (assignees === undefined) return sql`0`;
  const person = onlyPerson(assignees);
  return person === null ? null : memberNumber(caller, person);
}

/** Selects `total`: tasks of the whole workspace, or of one project. */
export function totalInWorkspace(caller: Caller, filter: TotalFilter): SQL {
  const { buckets, projectId, assignees } = filter;
  const member = memberOrAll(caller, assignees);
  const everyone =
    projectId === undefined
      ? sql`AND ((member = 0 AND project > 0) OR (member > 0 AND project = 0))`
      : sql`AND project = ${projectId}`;
  // For everyone there is a row for each project; for one person there is one row for all projects.
  const sumOf = (holder: SQL) => sql`
    SELECT coalesce(sum(${bucketSum(buckets)}), 0) AS total FROM task_counts
    WHERE ws = ${caller.workspace} AND member = ${holder} ${everyone}`;
  if (member !== null) return sumOf(member);
  const ofPeople = (people: SQL) => sql`
    SELECT sum(${bucketSum(buckets)}) FROM (${people}) an
    CROSS JOIN task_counts ac ON ac.ws = ${caller.workspace} AND ac.member = an.no AND ac.project = ${projectId ?? 0}`;
  return ofSeveral(caller, assignees as Assignees, { everyone: sumOf(sql`0`), ofPeople });
}

/** Selects `total`: tasks of the caller's projects, plus those they follow elsewhere. */
export function totalMine(caller: Caller, filter: TotalFilter): SQL {
  const { buckets, projectId, assignees } = filter;
  const member = memberOrAll(caller, assignees);
  const project = (column: SQL) => (projectId === undefined ? sql`` : sql`AND ${column} = ${projectId}`);
  const inMyProjects = (holder: SQL) => sql`
    SELECT sum(${bucketSum(buckets)}) FROM project_members mp
    CROSS JOIN task_counts tc ON tc.ws = ${caller.workspace} AND tc.member = ${holder} AND tc.project = mp.project
    WHERE mp.member = ${caller.member} ${project(sql`mp.project`)}`;
  const ofPeople = (people: SQL) => sql`
    SELECT sum(${bucketSum(buckets)}) FROM project_members mp CROSS JOIN (${people}) an
    CROSS JOIN task_counts tc ON tc.ws = ${caller.workspace} AND tc.member = an.no AND tc.project = mp.project
    WHERE mp.member = ${caller.member} ${project(sql`mp.project`)}`;
  const mine =
    member === null
      ? ofSeveral(caller, assignees as Assignees, { everyone: inMyProjects(sql`0`), ofPeople })
      : inMyProjects(member);
  return sql`
    SELECT coalesce((${mine}), 0) + coalesce((${followedElsewhere()}), 0) AS total`;

  function followedElsewhere(): SQL {
    const elsewhere = (column: SQL) => sql`
      NOT EXISTS (SELECT 1 FROM project_members op WHERE op.project = ${column} AND op.member = ${caller.member})`;
    if (assignees === undefined) {
      return sql`
        SELECT sum(${followedSum(buckets)}) FROM task_counts fc
        WHERE fc.ws = ${caller.workspace} AND fc.member = ${caller.member} AND fc.project > 0
        ${project(sql`fc.project`)} AND ${elsewhere(sql`fc.project`)}`;
    }
    // An assignee always follows, so the follows include what is assigned to the caller elsewhere.
    if (onlyPerson(assignees) === caller.userId) {
      return sql`
        SELECT sum(${bucketSum(buckets)}) FROM task_counts ac
        WHERE ac.ws = ${caller.workspace} AND ac.member = ${caller.member} AND ac.project > 0
        ${project(sql`ac.project`)}
        AND ${elsewhere(sql`ac.project`)}`;
    }
    return sql`
      SELECT count(*) FROM followers f CROSS JOIN tasks t ON t.id = f.task
      WHERE f.member = ${caller.member} ${project(sql`f.project`)} AND ${elsewhere(sql`f.project`)}
      AND ${isAssignedTo(caller, assignees, sql`t.assignee`)} AND t.bucket IN ${bucketList(buckets)}`;
  }
}

interface Sums {
  /** A SELECT of one sum, over all tasks. */
  everyone: SQL;
  /** The same over the tasks that are assigned to people: a SELECT of their numbers `no`. */
  ofPeople: (people: SQL) => SQL;
}

/** Nobody has no counters: what is assigned to nobody is everything less what is assigned to everybody. */
function ofSeveral(caller: Caller, assignees: Assignees, { everyone, ofPeople }: Sums): SQL {
  const named = sql`coalesce((${ofPeople(numbersOf(caller, assignees))}), 0)`;
  if (!assignees.orNobody) return sql`SELECT ${named} AS total`;
  const everybody = ofPeople(sql`SELECT em.no AS no FROM members em WHERE em.ws = ${caller.workspace}`);
  return sql`SELECT ${named} + coalesce((${everyone}), 0) - coalesce((${everybody}), 0) AS total`;
}
