import * as z from 'zod';
import { forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { notifyReviewer } from '../../notifications/inbox/notify.queries.ts';
import {
  assertSetUnchanged,
  type ChangeSetRow,
  findAppChangeSet,
  findNewestSet,
  insertChangeSet,
  setStatus,
} from '../model/change-sets.queries.ts';
import { reason, statuses, title } from '../model/change-sets.schema.ts';
import {
  changeSetExpiredError,
  changeSetNotFoundError,
  DECIDED_SET_LIFETIME_MS,
  EXPIRY_MS,
} from '../model/limits.ts';
import { readPendingSet } from '../pending/pending-set.ts';

const changeSetOutput = z.object({
  changeSet: integerId,
  title: z.string(),
  status: z.enum(statuses),
  changes: z.int(),
  /** The number of changes that an approval would currently skip because of conflicts. */
  conflicts: z.int(),
  url: z.string(),
});

const changeSetSpec = {
  access: 'tasks:write',
  capability: 'seeTasks',
  effect: 'write',
  output: changeSetOutput,
} as const;

export const beginChanges = defineOperation(
  {
    ...changeSetSpec,
    name: 'beginChanges',
    summary: "Start staging an app's changes",
    description:
      "Changes made with the app's tools are staged until the change set is proposed or discarded.",
    input: z.strictObject({ title: title.default('') }),
  },
  async (ctx, input) => {
    const { db, caller, now } = ctx;
    if (caller.credential.kind !== 'oauth') throw appsOnlyError();
    if (caller.changeSet !== null) {
      throw invalidRequestError(
        `Change set ${caller.changeSet} is already open, and changes are staged in it. Continue, or call propose_changes or discard_changes first.`,
      );
    }
    const [set] = await db.writeThenRead(
      [insertChangeSet(caller, { title: input.title, now, expiresAt: now + EXPIRY_MS })],
      [findNewestSet(caller)],
    );
    return toChangeSetOutput(ctx, set);
  },
);

export const proposeChanges = defineOperation(
  {
    ...changeSetSpec,
    name: 'proposeChanges',
    summary: "Send an app's staged changes to the person who authorized it",
    description: 'If the change set was already proposed, returns its state.',
    input: z.strictObject({ id: integerId.optional(), reason: reason.default('') }),
  },
  async (ctx, input) => {
    const { db, caller, now } = ctx;
    const set = await requireAppChangeSet(ctx, input.id);
    if (set.status !== 'open' && set.status !== 'proposed') return toChangeSetOutput(ctx, set);
    const { folded } = await readPendingSet(ctx, set.id);
    if (set.status === 'open') {
      if (set.expires_at <= now) throw changeSetExpiredError(set);
      if (set.items === 0) {
        throw invalidRequestError(
          `Change set ${set.id} has no changes to propose. Stage some, or call discard_changes.`,
        );
      }
      await db.batch([
        assertSetUnchanged(caller, set),
        setStatus(caller, set.id, 'proposed', { reason: input.reason, expiresAt: now + EXPIRY_MS }),
        ...notifyReviewer(ctx),
      ]);
    }
    return toChangeSetOutput(ctx, { ...set, status: 'proposed' }, folded.problems.size);
  },
);

export const discardChanges = defineOperation(
  {
    ...changeSetSpec,
    name: 'discardChanges',
    summary: "Discard an app's staged changes",
    input: z.strictObject({ id: integerId.optional() }),
  },
  async (ctx, input) => {
    const { db, caller, now } = ctx;
    const set = await requireAppChangeSet(ctx, input.id);
    if (set.status !== 'open' && set.status !== 'proposed')
      throw invalidRequestError(`Change set ${set.id} is already ${set.status}. Nothing was discarded.`);
    await db.batch([
      assertSetUnchanged(caller, set),
      setStatus(caller, set.id, 'discarded', { expiresAt: now + DECIDED_SET_LIFETIME_MS }),
    ]);
    return toChangeSetOutput(ctx, { ...set, status: 'discarded' });
  },
);

async function requireAppChangeSet(
  { db, caller }: Context,
  given: number | undefined,
): Promise<ChangeSetRow> {
  if (caller.credential.kind !== 'oauth') throw appsOnlyError();
  const id = given ?? caller.changeSet;
  if (id === null) throw invalidRequestError('No change set is open. Call begin_changes first.');
  const [set] = await db.batch([findAppChangeSet(caller, id)]);
  if (!set) throw changeSetNotFoundError(id);
  return set;
}

function appsOnlyError() {
  return forbiddenError('Only apps that a person has authorized can stage changes.');
}

function toChangeSetOutput({ request, caller }: Context, set: ChangeSetRow, conflicts = 0) {
  return {
    changeSet: set.id,
    title: set.title,
    status: set.status,
    changes: set.items,
    conflicts,
    url: `${request.origin}/app/${caller.workspaceId}/changes/${set.id}`,
  };
}
