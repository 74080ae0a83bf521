import { recordEvent, recordEvents } from '../../events/log/record.queries.ts';
import { recordAuditEntryBy, serviceSource } from '../../kernel/audit/record-audit.queries.ts';
import type { CellJob, DirectoryJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, countAffordableUnits, REQUEST_STATEMENTS_MAX } from '../../kernel/sql/budget.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database, WriteConflictError } from '../../kernel/sql/database.ts';
import { tryToCopyMembershipToDirectory } from '../../workspaces/directory/copy-memberships.ts';
import { listPersonCells } from '../../workspaces/directory/directory.queries.ts';
import { endMembership } from '../../workspaces/directory/memberships.queries.ts';
import {
  insertDeparture,
  transferProjects,
  withdrawSentInvitations,
} from '../../workspaces/people/people.queries.ts';
import { copyAccountEvents, deleteAccountEvents, parseAccountEvents } from './account-events.queries.ts';
import { anonymizeEventSlice } from './anonymize-events.queries.ts';
import {
  type ActiveMembership,
  anonymizePerson,
  assertActiveMembership,
  buildPersonUpdatedEvent,
  type ChangedPerson,
  copyPerson,
  endPersonAccess,
  endSessionTokens,
  findChangedPerson,
  hasForgottenMembers,
  listActiveMemberships,
  listChangedPeople,
  listForgottenMembers,
  listOutdatedMemberships,
  markPersonCopied,
  promoteNewOwner,
} from './copy-people.queries.ts';

type CopyScope = Pick<RequestScope, 'directory' | 'cell' | 'now'>;

const COPY_PERSON_COST = 60;
const PEOPLE_PER_RUN_MAX = 20;
const STATEMENTS_AFTER_RESPONSE_MAX = 500;
/** The number of statements for a deleted person's membership, not counting one in each of the person's cells. */
const MEMBERSHIP_COST = 20;

export const copyChangedPeople: DirectoryJob = {
  name: 'people.settle',
  cost: 1 + COPY_PERSON_COST,
  async run(scope, allowance) {
    const limit = countAffordableUnits({ left: allowance.left - 1 }, COPY_PERSON_COST, PEOPLE_PER_RUN_MAX);
    const [people] = await scope.directory.batch([listChangedPeople(limit)]);
    let isDone = people.length < limit;
    for (const person of people) {
      if (!(await copyPersonToCells(scope, person, allowance, 1))) isDone = false;
    }
    return !isDone;
  },
};

/**
 * Copies memberships beyond the request's statement limit after the response. If there are still more, or if any of
 * them fails, `copyChangedPeople` continues within a minute.
 */
export async function tryToCopyPerson(request: RequestScope, id: string): Promise<void> {
  try {
    const [[person]] = await request.directory.batch([findChangedPerson(id)]);
    if (
      !person ||
      (await copyPersonToCells(request, person, limitStatements(request.meter, REQUEST_STATEMENTS_MAX), 0))
    )
      return;
    request.afterResponse('person.unsettled', async () => {
      const meter = new CostMeter();
      const allowance = limitStatements(meter, STATEMENTS_AFTER_RESPONSE_MAX);
      const scope = getScopeAfterResponse(request, meter);
      const [[current]] = await scope.directory.batch([findChangedPerson(id)]);
      if (current) await copyPersonToCells(scope, current, allowance, 0);
    });
  } catch (error) {
    log('error', 'person.unsettled', { person: id, cause: describeError(error) });
  }
}

function limitStatements(meter: CostMeter, max: number): Allowance {
  return {
    get left() {
      return max - meter.statements;
    },
  };
}

function getScopeAfterResponse({ env, cellAfterResponse, now }: RequestScope, meter: CostMeter): CopyScope {
  return {
    directory: new Database(env.DIRECTORY, meter),
    cell(no) {
      const cell = cellAfterResponse(no, meter);
      if (!cell) throw new Error(`CELL_${no} is not bound`);
      return cell;
    },
    now,
  };
}

/**
 * Ends the access of a deleted person and removes their name in every cell first, whatever it costs. Then copies at
 * least `countMin` memberships, and others while the allowance lasts. Returns whether everything was copied.
 */
async function copyPersonToCells(
  scope: CopyScope,
  person: ChangedPerson,
  allowance: Allowance,
  countMin: number,
): Promise<boolean> {
  const { acts, isAll } = parseAccountEvents(person.acts);
  const isDeleted = person.deleted_at !== null;
  const [cells] = await scope.directory.batch([listPersonCells(person.id)]);
  const outdated: { no: number; memberships: ActiveMembership[] }[] = [];
  for (const { cell: no } of cells) {
    const [memberships] = await scope
      .cell(no)
      .batch([
        isDeleted ? listActiveMemberships(person.id) : listOutdatedMemberships(person),
        ...(acts.length > 0 ? [copyAccountEvents(person.id, acts)] : []),
        ...(person.access_ends_at === null ? [] : endPersonAccess(person.id, person.access_ends_at)),
        ...(person.deleted_at === null
          ? []
          : [endSessionTokens(person.id, person.deleted_at), ...anonymizePerson(person)]),
      ]);
    outdated.push({ no, memberships });
  }
  let count = 0;
  for (const { no, memberships } of outdated) {
    for (const membership of memberships) {
      if (count >= countMin && allowance.left < MEMBERSHIP_COST + cells.length) return false;
      await (isDeleted ? endActiveMembership : copyPersonToCell)(scope, no, person, membership);
      count += 1;
    }
  }
  await scope.directory.batch([
    ...(acts.length > 0 ? [deleteAccountEvents(acts)] : []),
    ...(isAll ? [markPersonCopied(person)] : []),
  ]);
  return isAll;
}

async function copyPersonToCell(
  scope: CopyScope,
  no: number,
  person: ChangedPerson,
  membership: ActiveMembership,
): Promise<void> {
  const { ws } = membership;
  await scope
    .cell(no)
    .batch([
      recordEvents(toWriteContext(scope, membership), buildPersonUpdatedEvent(person, ws)),
      copyPerson(person, ws),
    ]);
}

function toWriteContext({ now }: CopyScope, { no: member, ws, timezone }: ActiveMembership): WriteContext {
  return { caller: { workspace: ws, member, timezone }, via: 'session', now };
}

async function endActiveMembership(
  scope: CopyScope,
  no: number,
  person: ChangedPerson,
  membership: ActiveMembership,
): Promise<void> {
  const { no: member, ws, workspace_id: workspaceId, owner } = membership;
  const ctx = toWriteContext(scope, membership);
  await scope
    .cell(no)
    .batch([
      assertActiveMembership(membership),
      insertDeparture(ctx, { member, heir: 0 }),
      ...(owner === null ? [] : transferProjects(ctx, { no: member, user_id: person.id }, owner)),
      ...promoteNewOwner(ctx, ws, member),
      withdrawSentInvitations(member, scope.now),
      recordEvent(ctx, { type: 'member.removed', entity: person.id }),
      recordAuditEntryBy(
        { ws, actor: member, kind: 'service', from: serviceSource, now: scope.now },
        { type: 'member.left', details: { reason: 'account deleted' } },
      ),
      ...endMembership(workspaceId, person.id, scope.now),
    ])
    .catch(ignoreConflict);
  await tryToCopyMembershipToDirectory(scope, no, workspaceId, person.id);
}

/** The membership has already been ended. */
function ignoreConflict(error: unknown) {
  if (!(error instanceof WriteConflictError)) throw error;
}

const EVENTS_PER_SLICE = 1_000;
const ANONYMIZE_SLICE_COST = 6;

export const anonymizeEvents: CellJob = {
  name: 'names.forget',
  cost: 1 + ANONYMIZE_SLICE_COST,
  isDue: hasForgottenMembers,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const [people] = await cell.batch([listForgottenMembers(PEOPLE_PER_RUN_MAX)]);
    for (const person of people) {
      let seen = EVENTS_PER_SLICE;
      while (seen > 0) {
        if (countAffordableUnits(allowance, ANONYMIZE_SLICE_COST, 1) === 0) return true;
        const [count] = await cell.batch(anonymizeEventSlice(person, EVENTS_PER_SLICE));
        seen = Number(count);
      }
    }
    return people.length === PEOPLE_PER_RUN_MAX;
  },
};
