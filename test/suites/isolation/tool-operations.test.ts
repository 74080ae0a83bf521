// This file is long because it lists every operation without a route, which only tools use. They are run by name, as /mcp does.
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
import { cellOf, env } from '../../support/env.ts';
import { type FormAnswer, runForm } from '../../support/forms.ts';
import { formOperations, unroutedOperations } from '../../support/operations.ts';
import { watchWrites } from '../fuzz/watch-writes.ts';
import type { Actor, Outcome, Relation } from './oracle.ts';
import * as oracle from './oracle.ts';
import { MISSING } from './rules.ts';
import { type Cast, createStage, listScopesWithout, type Place, SECRET, type Stage } from './world.ts';

type Input = Record<string, unknown>;

interface Rule {
  readonly operation: AnyOperation;
  readonly expected: (actor: Actor, relation: Relation) => Outcome;
  readonly input: (place: Place) => Input;
  readonly prepare?: (place: Place, cast: Cast) => Promise<void>;
  /** Checks whether a response with status 200 actually contains the place. */
  readonly shows?: (body: FormAnswer['body'], place: Place) => boolean | Promise<boolean>;
  /**
   * Whether the response also covers other places, and therefore can't be compared with the response for a
   * missing place.
   */
  readonly isList?: true;
}

const OTHER_SET = 8_888;
const workedTimes = { startTime: '2026-03-02T09:30:00.000Z', endTime: '2026-03-02T10:30:00.000Z' };
const hasTask = ({ data }: FormAnswer['body'], { task }: Place) =>
  data.some((each: { task?: { id: number } | null }) => each.task?.id === task);
const hasNoError = ({ data: [item] }: FormAnswer['body']) => item.error === undefined;

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
    // Only the person who presigned the upload can write to it, and a repeat succeeds.
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
    shows: (body, place) => hasNoError(body) && hasTask(body, place),
  },
  {
    operation: previewArchived,
    expected: oracle.judgeTaskAccess,
    input: ({ task }) => ({ ids: [task], isArchived: true }),
    shows: (body, place) => hasNoError(body) && hasTask(body, place),
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
    // Open pages only learn that something has changed in their workspace.
    expected: () => 'ok',
    input: () => ({}),
    isList: true,
  },
  {
    operation: resolveFieldFilter,
    // Like the categories of a workspace, its fields are visible to everyone.
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
    // Time entries can't overlap, so the entry of the last successful request is deleted.
    prepare: async (_place, { bound }) => {
      await cellOf(0)
        .prepare('DELETE FROM time_entries WHERE member = ? AND started_at = ?')
        .bind(bound.member, Date.parse(workedTimes.startTime))
        .run();
    },
  },
  {
    operation: beginChanges,
    // Anyone's app can begin a set, because it doesn't change anything yet.
    expected: () => 'ok',
    input: () => ({}),
    // An app can have only one open set.
    prepare: async () => {
      await cellOf(0).prepare("DELETE FROM change_sets WHERE status = 'open'").run();
    },
    isList: true,
  },
  ...[proposeChanges, discardChanges].map(
    (operation): Rule => ({
      operation,
      // A set belongs to one person's app, and none of these apps has begun it.
      expected: () => 'hidden',
      input: () => ({ id: OTHER_SET }),
    }),
  ),
  ...[lookUpNames, lookUpSimilar].map(
    (operation): Rule => ({
      operation,
      expected: oracle.judgeProjectAccess,
      input: () => ({ people: [], projects: [`${SECRET} project`] }),
      shows: ({ projects }, { project }) => projects.some((each: { id: number }) => each.id === project),
      isList: true,
    }),
  ),
  ...[lookUpNames, lookUpSimilar].map(
    (operation): Rule => ({
      operation,
      // Finds every member of the workspace. The visitor also belongs to the other workspace.
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
const store = watchWrites();
let stage: Stage;

beforeAll(async () => {
  vi.spyOn(console, 'log').mockReturnValue();
  stage = await createStage();
  const { results } = await cellOf(0)
    .prepare('SELECT user_id AS id, email FROM members')
    .all<{ id: string; email: string }>();
  for (const { id, email } of results) emails.set(id, email);
  await cellOf(0)
    .prepare(
      "INSERT INTO change_sets (id, ws, member, client, app, status, created_at, changed_at, expires_at) SELECT ?, ws, no, 'other', 'Other app', 'proposed', 1, 1, 9e15 FROM members LIMIT 1",
    )
    .bind(OTHER_SET)
    .run();
});

async function writeFile(id: number) {
  const key = `0/text-${id}`;
  const etag = (await env.FILES.put(key, 'hello'))?.etag;
  await cellOf(0)
    .prepare('UPDATE attachments SET object_key = ?, etag = ? WHERE id = ?')
    .bind(key, etag, id)
    .run();
}

function exchangeIds(text: string, place: Place): string {
  const { belongings: _mine, relation: _relation, ...ids } = place;
  const { belongings: _none, relation: _missing, ...missing } = MISSING;
  return Object.entries(missing).reduce(
    (changed, [name, from]) => changed.replaceAll(String(from), String(ids[name as keyof typeof ids])),
    text,
  );
}

async function compareWithOracle(
  rule: Rule,
  cast: Cast,
  place: Place,
  missing: FormAnswer | null,
): Promise<FormAnswer & { problems: string[] }> {
  const { operation } = rule;
  const outcome = rule.expected(cast.actor, place.relation);
  await rule.prepare?.(place, cast);
  store.takeWrites();
  const token = await cast.oauth(listRequiredScopes(operation.access));
  const answer = await runForm(token, operation, rule.input(place), store.bindings);
  const isShown = answer.status === 200 && ((await rule.shows?.(answer.body, place)) ?? true);
  const problems: string[] = [];
  if (isShown !== (outcome === 'ok')) problems.push(`${answer.status}: ${JSON.stringify(answer.body)}`);
  if (outcome === 'ok') return { ...answer, problems };
  const text = JSON.stringify(answer.body);
  if (!rule.isList && text.includes(SECRET)) problems.push(`reveals a name: ${text}`);
  if (!rule.isList && missing && text !== exchangeIds(JSON.stringify(missing.body), place))
    problems.push(`differs from the response for a missing one: ${text}`);
  const writes = store.takeWrites();
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
      for (const cast of stage.cast) {
        let missing: FormAnswer | null = null;
        for (const place of [MISSING, ...cast.places, ...(cast.actor.isBoundHere ? [stage.foreign] : [])]) {
          const answer = await compareWithOracle(rule, cast, place, missing);
          if (place === MISSING) missing = answer;
          wrong.push(...answer.problems.map((each) => `${cast.actor.name}, ${place.relation}: ${each}`));
        }
        const without = await runForm(
          await cast.oauth(listScopesWithout(...listRequiredScopes(rule.operation.access))),
          rule.operation,
          rule.input(MISSING),
        );
        if (without.status !== 403) wrong.push(`${cast.actor.name} without the scope: ${without.status}`);
      }
      expect(wrong).toEqual([]);
    },
  );
});
