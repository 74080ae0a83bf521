import { recordEvent, recordEvents } from '../../events/log/record.queries.ts';
import { recordAuditEntryBy, serviceSource } from '../../kernel/audit/record-audit.queries.ts';
import type { CellJob, DirectoryJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
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
  buildPersonUpdatedEvent,
  type ChangedPerson,
  copyPerson,
  endPersonAccess,
  findChangedPerson,
  hasForgottenMembers,
  listActiveMemberships,
  listChangedPeople,
  listForgottenMembers,
  markPersonCopied,
  promoteNewOwner,
} from './copy-people.queries.ts';

type CopyScope = Pick<RequestScope, 'directory' | 'cell' | 'now'>;

const COPY_PERSON_COST = 60;
const PEOPLE_PER_RUN_MAX = 20;

export const copyChangedPeople: DirectoryJob = {
  name: 'people.settle',
  cost: 1 + COPY_PERSON_COST,
  async run(scope, allowance) {
    const limit = countAffordableUnits({ left: allowance.left - 1 }, COPY_PERSON_COST, PEOPLE_PER_RUN_MAX);
    const [people] = await scope.directory.batch([listChangedPeople(limit)]);
    for (const person of people) await copyPersonToCells(scope, person);
    return people.length === limit;
  },
};

export async function tryToCopyPerson(scope: CopyScope, id: string): Promise<void> {
  try {
    const [[person]] = await scope.directory.batch([findChangedPerson(id)]);
    if (person) await copyPersonToCells(scope, person);
  } catch (error) {
    log('error', 'person.unsettled', { person: id, cause: describeError(error) });
  }
}

async function copyPersonToCells(scope: CopyScope, person: ChangedPerson): Promise<void> {
  const { acts, isAll } = parseAccountEvents(person.acts);
  const [cells] = await scope.directory.batch([listPersonCells(person.id)]);
  for (const { cell: no } of cells) {
    const cell = scope.cell(no);
    if (acts.length > 0) await cell.batch([copyAccountEvents(person.id, acts)]);
    if (person.access_ends_at !== null) await cell.batch(endPersonAccess(person.id, person.access_ends_at));
    const [open] = await cell.batch([listActiveMemberships(person.id)]);
    const isDeleted = person.deleted_at !== null;
    for (const membership of open)
      await (isDeleted ? endActiveMembership : copyPersonToCell)(scope, no, person, membership);
    if (isDeleted) await cell.batch(anonymizePerson(person));
  }
  await scope.directory.batch([
    ...(acts.length > 0 ? [deleteAccountEvents(acts)] : []),
    ...(isAll ? [markPersonCopied(person)] : []),
  ]);
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
    ]);
  await tryToCopyMembershipToDirectory(scope, no, workspaceId, person.id);
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
