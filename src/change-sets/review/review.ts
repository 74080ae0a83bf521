import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { combineAssertions } from '../../kernel/sql/database.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { listMemberNames as listPeople } from '../../tasks/mentions/mentionable.queries.ts';
import { findMentionedIds } from '../../tasks/mentions/mentions.ts';
import { toChangeSetSummary } from '../model/change-sets.present.ts';
import {
  assertSetUnchanged,
  type ChangeSetRow,
  type ItemResult,
  listItemResults,
  listItemTexts,
  listChangeSets as selectChangeSets,
  setItemResults,
  setStatus,
} from '../model/change-sets.queries.ts';
import { foldItems } from '../model/fold-items.ts';
import { DECIDED_SET_LIFETIME_MS, EXPIRY_DAYS } from '../model/limits.ts';
import { type PendingSet, readPendingSet, selectPendingSet, toPendingSet } from '../pending/pending-set.ts';
import { applyItems } from './apply-items.ts';
import { describeItems, describeProblem } from './describe-items.ts';
import {
  listCategoryNames,
  listMemberNames,
  listParentNames,
  listProjectNames,
  listTypeNames,
  type NameRow,
} from './item-names.queries.ts';
import { applyInput, changeSetDetail, changeSetList, decidedOutput, rejectInput } from './review.schema.ts';

/** A change set is visible only to the person who authorized the app. That person applies it with their own access. */
const reviewSpec = { access: 'session', capability: 'seeTasks' } as const;
const CHANGE_SETS_LISTED_MAX = 100;

export const listChangeSets = defineOperation(
  {
    ...reviewSpec,
    name: 'listChangeSets',
    summary: 'List the change sets of your apps, newest first',
    effect: 'read',
    input: z.strictObject({}),
    output: changeSetList,
  },
  async ({ db, caller, now }) => {
    const [rows] = await db.batch([selectChangeSets(caller, CHANGE_SETS_LISTED_MAX)]);
    // Leaves out open sets, because the apps are still preparing them.
    return {
      data: rows.filter(({ status }) => status !== 'open').map((row) => toChangeSetSummary(row, now)),
    };
  },
);

export const getChangeSet = defineOperation(
  {
    ...reviewSpec,
    name: 'getChangeSet',
    summary: 'Get the changes proposed by an app',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: changeSetDetail,
  },
  async ({ db, caller, now, words }, { id }) => {
    const [texts, results, projects, people, categories, types, parents, ...found] = await db.batch([
      listItemTexts(caller, id),
      listItemResults(caller, id),
      listProjectNames(caller, id),
      listMemberNames(caller, id),
      listCategoryNames(caller, id),
      listTypeNames(caller, id),
      listParentNames(caller, id),
      ...selectPendingSet(caller, id),
    ]);
    const pending = toPendingSet(caller, id, found);
    const byNumber = new Map(results.map((each) => [each.no, each]));
    const names = {
      timezone: caller.timezone,
      project: mapNamesById(projects),
      member: mapNamesById(people),
      category: mapNamesById(categories),
      type: mapNamesById(types),
      task: new Map([...mapNamesById(parents), ...listNewNames(pending)]),
    };
    const textsByItem = mapTextsByItem(texts);
    const described = describeItems(pending, names, textsByItem, words);
    const comments = pending.items.filter(({ operation }) => operation === 'comment');
    const mentioned = findMentionedIds(comments.map(({ no }) => textsByItem.get(no) ?? ''));
    const [mentionedPeople] = mentioned.length > 0 ? await db.batch([listPeople(caller, mentioned)]) : [[]];
    const isDecided = pending.set.status !== 'open' && pending.set.status !== 'proposed';
    return {
      ...toChangeSetSummary(pending.set, now),
      mentioned: mentionedPeople,
      changes: described.map((item) => {
        const { result = null, problem = null, made = null } = byNumber.get(item.no) ?? {};
        return {
          ...item,
          task: made ?? item.task,
          result,
          problem: isDecided ? problem : item.problem,
        };
      }),
    };
  },
);

export const applyChangeSet = defineOperation(
  {
    ...reviewSpec,
    name: 'applyChangeSet',
    summary: 'Apply all or some of the changes proposed by an app',
    effect: 'write',
    input: applyInput,
    output: decidedOutput,
    replay: { rebuild: (ctx, { id }) => countResults(ctx, id) },
  },
  async (ctx, { id, items: selected, isAllOrNothing }) => {
    const { db, caller, now } = ctx;
    const [texts, ...found] = await db.batch([listItemTexts(caller, id), ...selectPendingSet(caller, id)]);
    const { set, items, state } = toPendingSet(caller, id, found);
    requireProposedSet(set, now);
    const wanted = new Set(selected ?? items.map(({ no }) => no));
    const folded = foldItems(
      items.filter(({ no }) => wanted.has(no)),
      state,
    );
    if (isAllOrNothing && folded.problems.size > 0) {
      throw invalidRequestError(
        `${folded.problems.size === 1 ? 'One change' : `${folded.problems.size} changes`} can't be applied, so nothing was applied.`,
      );
    }
    const results = items.map(({ no }): Omit<ItemResult, 'made'> => {
      if (!wanted.has(no)) return { no, result: 'rejected', problem: null };
      const problem = folded.problems.get(no);
      return problem
        ? { no, result: 'conflict', problem: describeProblem(problem, ctx.words) }
        : { no, result: 'applied', problem: null };
    });
    const { assertion, writes } = await applyItems(toAppContext(ctx, set), id, folded, mapTextsByItem(texts));
    const status = results.some(({ result }) => result !== 'rejected') ? 'applied' : 'rejected';
    await db.batch([
      ...combineAssertions([assertSetUnchanged(caller, set), assertion]),
      ...writes,
      setItemResults(caller, id, results),
      setStatus(caller, id, status, { expiresAt: now + DECIDED_SET_LIFETIME_MS }),
    ]);
    indexWaitingTextsAfterResponse(ctx, writes);
    return countByResult(id, results);
  },
);

/**
 * The person who approves a set is the author of its changes. In the history and the app's activity, where they can be
 * undone, the changes are the app's.
 */
function toAppContext(ctx: Context, { credential }: ChangeSetRow): Context {
  const { caller } = ctx;
  return { ...ctx, via: 'mcp', caller: { ...caller, credential: { ...caller.credential, id: credential } } };
}

export const rejectChangeSet = defineOperation(
  {
    ...reviewSpec,
    name: 'rejectChangeSet',
    summary: 'Reject the changes proposed by an app',
    effect: 'write',
    input: rejectInput,
    output: decidedOutput,
    replay: { rebuild: (ctx, { id }) => countResults(ctx, id) },
  },
  async (ctx, { id, reason }) => {
    const { db, caller, now } = ctx;
    const { set, items } = await readPendingSet(ctx, id);
    requireProposedSet(set, now);
    const results = items.map(({ no }) => ({ no, result: 'rejected' as const, problem: reason || null }));
    await db.batch([
      assertSetUnchanged(caller, set),
      setItemResults(caller, id, results),
      setStatus(caller, id, 'rejected', { expiresAt: now + DECIDED_SET_LIFETIME_MS }),
    ]);
    return countByResult(id, results);
  },
);

async function countResults({ db, caller }: Context, id: number) {
  const [results] = await db.batch([listItemResults(caller, id)]);
  return countByResult(id, results);
}

function countByResult(id: number, results: readonly Pick<ItemResult, 'result'>[]) {
  const count = (wanted: ItemResult['result']) => results.filter(({ result }) => result === wanted).length;
  return { id, applied: count('applied'), conflicts: count('conflict'), rejected: count('rejected') };
}

function requireProposedSet({ id, status, expires_at }: ChangeSetRow, now: number) {
  if (status === 'proposed' && expires_at > now) return;
  if (status === 'proposed')
    throw invalidRequestError(`Change set ${id} has expired after ${EXPIRY_DAYS} days. Nothing was changed.`);
  throw invalidRequestError(
    status === 'open'
      ? `Change set ${id} hasn't been proposed yet. The app is still preparing it.`
      : `Change set ${id} is already ${status}. Nothing was changed.`,
  );
}

function mapTextsByItem(rows: readonly { no: number; text: string }[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ no, text }) => [no, text]));
}

function mapNamesById(rows: readonly NameRow[]): ReadonlyMap<number, string> {
  return new Map(rows.map(({ id, name }) => [id, name]));
}

function listNewNames({ items }: PendingSet): [id: number, name: string][] {
  return items.flatMap(({ operation, task, changes }) =>
    operation === 'create' ? [[task, String(changes.name)]] : [],
  );
}
