// This file is long because it lists every operation that has no route and is used only by tools. The tests run these
// operations by name, as /mcp does.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  beginChanges,
  discardChanges,
  proposeChanges,
} from '../../../src/change-sets/lifecycle/change-sets.ts';
import { listOpenDashboardTasks } from '../../../src/dashboard/tasks/dashboard-tasks.ts';
import { listChanges } from '../../../src/events/feed/changes.ts';
import { getNewestSeq } from '../../../src/events/live/newest-seq.ts';
import { listTaskDownloads } from '../../../src/files/attachments/attachments.ts';
import { readTextAttachment, uploadText } from '../../../src/files/attachments/text-files.ts';
import { listRequiredScopes } from '../../../src/kernel/access/access.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { lookUpNames, lookUpSimilar } from '../../../src/search/lookup/lookup.ts';
import { previewArchived, previewCreates, previewUpdates } from '../../../src/tasks/bulk/preview.ts';
import { updateTasksAsAgent } from '../../../src/tasks/bulk/update.ts';
import { addComments } from '../../../src/tasks/comments/add-comments.ts';
import { resolveFieldFilter } from '../../../src/tasks/custom-fields/resolve-field-filter.ts';
import { listTaskFields } from '../../../src/tasks/operations/task-fields.ts';
import { checkBlockers, setBlockers } from '../../../src/tasks/relations/set-blockers.ts';
import { createTimeEntries } from '../../../src/time/tracking/create-time-entries.ts';
import { env, getCell } from '../../support/env.ts';
import { type FormResponse, runForm } from '../../support/forms.ts';
import { formOperations, unroutedOperations } from '../../support/operations.ts';
import { watchWrites } from '../fuzz/watch-writes.ts';
import type { Actor, Outcome, Relation } from './oracle.ts';
import * as oracle from './oracle.ts';
import { MISSING } from './rules.ts';
import {
  type Caller,
  createIsolationWorld,
  type IsolationWorld,
  listScopesWithout,
  type ObjectSet,
  SECRET_WORD,
} from './world.ts';

type Input = Record<string, unknown>;

interface Rule {
  readonly operation: AnyOperation;
  readonly expected: (actor: Actor, relation: Relation) => Outcome;
  readonly input: (objects: ObjectSet) => Input;
  readonly prepare?: (objects: ObjectSet, caller: Caller) => Promise<void>;
  /** Whether a response with status 200 actually contains the objects. */
  readonly shows?: (body: FormResponse['body'], objects: ObjectSet) => boolean | Promise<boolean>;
  /** Whether the response covers all objects, so that it can't be compared with the response for missing objects. */
  readonly isList?: true;
}

const OTHER_CHANGE_SET = 8_888;
const workedTimes = { startTime: '2026-03-02T09:30:00.000Z', endTime: '2026-03-02T10:30:00.000Z' };
const hasTask = ({ data }: FormResponse['body'], { task }: ObjectSet) =>
  data.some((each: { task?: { id: number } | null }) => each.task?.id === task);
const hasNoError = ({ data: [item] }: FormResponse['body']) => item.error === undefined;

const rules: readonly Rule[] = [
  {
    operation: listChanges,
    expected: oracle.judgeTaskAccess,
    input: ({ project }) => ({ since: '2020-01-01T00:00:00.000Z', projectId: project }),
    shows: hasTask,
    isList: true,
  },
  {
    operation: listTaskFields,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ id: task }),
  },
  {
    operation: listTaskDownloads,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ id: task }),
  },
  {
    operation: readTextAttachment,
    expected: oracle.judgeTaskAccess,
    input: ({ task, taskFile }) => ({ id: task, attachmentId: taskFile }),
    prepare: ({ taskFile }) => writeFile(taskFile),
    shows: ({ text }) => text === 'hello',
  },
  {
    operation: uploadText,
    // Only the person who presigned the upload can write to it. Writing again succeeds.
    expected: ({ isBoundHere }, relation) => (isBoundHere && relation === 'creator' ? 'ok' : 'hidden'),
    input: ({ s3Key }) => ({ s3Key, text: 'other' }),
    prepare: async ({ s3Key }) => {
      await env.FILES.put(s3Key, 'hello');
    },
    shows: async (_body, { s3Key }) => (await (await env.FILES.get(s3Key))?.text()) === 'other',
  },
  {
    operation: previewCreates,
    expected: oracle.judgeProjectAccess,
    input: ({ project }) => ({ tasks: [{ projectId: project, name: 'A task' }] }),
    shows: hasNoError,
  },
  {
    operation: previewUpdates,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ updates: [{ id: task, name: 'Another' }] }),
    shows: (body, objects) => hasNoError(body) && hasTask(body, objects),
  },
  {
    operation: previewArchived,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ ids: [task], isArchived: true }),
    shows: (body, objects) => hasNoError(body) && hasTask(body, objects),
  },
  {
    operation: updateTasksAsAgent,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ ids: [task], set: { categoryId: null } }),
  },
  {
    operation: checkBlockers,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ blockedBy: [task] }),
  },
  {
    operation: setBlockers,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ tasks: [{ id: task, blockedBy: [] }] }),
  },
  {
    operation: addComments,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ ids: [task], content: 'Seen' }),
    shows: ({ comments }, { task }) => comments[0].taskId === task,
  },
  {
    operation: getNewestSeq,
    // Anyone may learn that something has changed in their workspace.
    expected: () => 'ok',
    input: () => ({}),
    isList: true,
  },
  {
    operation: resolveFieldFilter,
    // Everyone can see the custom fields of their workspace.
    expected: () => 'ok',
    input: () => ({ fields: {} }),
    isList: true,
  },
  {
    operation: listOpenDashboardTasks,
    expected: (actor, relation) => (oracle.isOnDashboard(actor, relation) ? 'ok' : 'hidden'),
    input: ({ task }) => ({ taskId: task }),
    shows: ({ data }, { task }) => data.some(({ id }: { id: number }) => id === task),
    isList: true,
  },
  {
    operation: createTimeEntries,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ entries: [{ taskId: task, ...workedTimes }] }),
    // Deletes the entry that the last successful request created, because time entries can't overlap.
    prepare: async (_place, { bound }) => {
      await getCell(0)
        .prepare('DELETE FROM time_entries WHERE member = ? AND started_at = ?')
        .bind(bound.member, Date.parse(workedTimes.startTime))
        .run();
    },
  },
  {
    operation: beginChanges,
    // Anyone's app can begin a change set, because an empty change set affects nothing else.
    expected: () => 'ok',
    input: () => ({}),
    // An app can have only one open change set.
    prepare: async () => {
      await getCell(0).prepare("DELETE FROM change_sets WHERE status = 'open'").run();
    },
    isList: true,
  },
  ...[proposeChanges, discardChanges].map(
    (operation): Rule => ({
      operation,
      // Only the app that began a change set can see it, and none of the tested apps began this one.
      expected: () => 'hidden',
      input: () => ({ id: OTHER_CHANGE_SET }),
    }),
  ),
  ...[lookUpNames, lookUpSimilar].map(
    (operation): Rule => ({
      operation,
      expected: oracle.judgeProjectAccess,
      input: () => ({ people: [], projects: [`${SECRET_WORD} project`] }),
      shows: ({ projects }, { project }) => projects.some((each: { id: number }) => each.id === project),
      isList: true,
    }),
  ),
  ...[lookUpNames, lookUpSimilar].map(
    (operation): Rule => ({
      operation,
      // For people whose credentials belong to this workspace, the lookup finds every member. For the visitor, it finds
      // only the visitor.
      expected: ({ isBoundHere }, relation) =>
        relation === 'owned' || (isBoundHere && relation !== 'foreign' && relation !== 'missing')
          ? 'ok'
          : 'hidden',
      input: ({ belongings }) => ({ people: [getEmail(belongings.userId)], projects: [] }),
      shows: ({ people }, { belongings }) =>
        people.some((each: { id: string }) => each.id === belongings.userId),
      isList: true,
    }),
  ),
];

const emails = new Map<string, string>();
const getEmail = (userId: string) => emails.get(userId) ?? 'nobody@example.com';
const writeLog = watchWrites();
let world: IsolationWorld;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  world = await createIsolationWorld();
  const { results } = await getCell(0)
    .prepare('SELECT user_id AS id, email FROM members')
    .all<{ id: string; email: string }>();
  for (const { id, email } of results) emails.set(id, email);
  await getCell(0)
    .prepare(
      "INSERT INTO change_sets (id, ws, member, client, app, status, created_at, changed_at, expires_at) SELECT ?, ws, no, 'other', 'Other app', 'proposed', 1, 1, 9e15 FROM members LIMIT 1",
    )
    .bind(OTHER_CHANGE_SET)
    .run();
});

async function writeFile(id: number) {
  const key = `0/text-${id}`;
  const etag = (await env.FILES.put(key, 'hello'))?.etag;
  await getCell(0)
    .prepare('UPDATE attachments SET object_key = ?, etag = ? WHERE id = ?')
    .bind(key, etag, id)
    .run();
}

function replaceMissingIds(text: string, objects: ObjectSet): string {
  const { belongings: _mine, relation: _relation, ...ids } = objects;
  const { belongings: _none, relation: _missing, ...missing } = MISSING;
  return Object.entries(missing).reduce(
    (changed, [name, from]) => changed.replaceAll(String(from), String(ids[name as keyof typeof ids])),
    text,
  );
}

async function compareWithOracle(
  rule: Rule,
  caller: Caller,
  objects: ObjectSet,
  missing: FormResponse | null,
): Promise<FormResponse & { problems: string[] }> {
  const { operation } = rule;
  const outcome = rule.expected(caller.actor, objects.relation);
  await rule.prepare?.(objects, caller);
  writeLog.takeWrites();
  const token = await caller.oauth(listRequiredScopes(operation.access));
  const answer = await runForm(token, operation, rule.input(objects), writeLog.bindings);
  const isShown = answer.status === 200 && ((await rule.shows?.(answer.body, objects)) ?? true);
  const problems: string[] = [];
  if (isShown !== (outcome === 'ok')) problems.push(`${answer.status}: ${JSON.stringify(answer.body)}`);
  if (outcome === 'ok') return { ...answer, problems };
  const text = JSON.stringify(answer.body);
  if (!rule.isList && text.includes(SECRET_WORD)) problems.push(`reveals a name: ${text}`);
  if (!rule.isList && missing && text !== replaceMissingIds(JSON.stringify(missing.body), objects))
    problems.push(`differs from the response for a missing one: ${text}`);
  const writes = writeLog.takeWrites();
  if (writes.length > 0) problems.push(`rejected, and wrote ${writes.join('; ')}`);
  return { ...answer, problems };
}

describe('access to operations that only MCP tools run', () => {
  it('is defined for every operation', () => {
    const only = unroutedOperations.filter((each) => !formOperations.includes(each)).map(({ name }) => name);
    expect(only.sort()).toEqual([...new Set(rules.map(({ operation }) => operation.name))].sort());
  });

  it.for(rules.map((rule, index) => [`${rule.operation.name} (${index})`, rule] as const))(
    'follows the rules for every caller (%s)',
    async ([, rule]) => {
      const wrong: string[] = [];
      for (const caller of world.callers) {
        let missing: FormResponse | null = null;
        for (const objects of [
          MISSING,
          ...caller.objectSets,
          ...(caller.actor.isBoundHere ? [world.foreign] : []),
        ]) {
          const answer = await compareWithOracle(rule, caller, objects, missing);
          if (objects === MISSING) missing = answer;
          wrong.push(...answer.problems.map((each) => `${caller.actor.name}, ${objects.relation}: ${each}`));
        }
        const without = await runForm(
          await caller.oauth(listScopesWithout(...listRequiredScopes(rule.operation.access))),
          rule.operation,
          rule.input(MISSING),
        );
        if (without.status !== 403) wrong.push(`${caller.actor.name} without the scope: ${without.status}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
