// This file is long because most types of notifications share one insert statement, but each selects its
// recipients differently.
import { hasNoActor } from '../../kernel/access/access.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { buildInList, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { meetingTasks } from '../../schema/cell/meetings.ts';
import { notificationCounts, notifications } from '../../schema/cell/notifications.ts';
import { taskRelations } from '../../schema/cell/relations.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import type { NewValues } from '../../tasks/model/new-values.queries.ts';
import { buildAssigneeList, selectNewAssignees } from '../../tasks/model/other-assignees.queries.ts';
import { isOpenTask } from '../../tasks/model/relations.queries.ts';
import {
  buildSelectionFromClause,
  type TaskExpression,
  type TaskSelection,
} from '../../tasks/model/selection.queries.ts';
import { isLimitedReader } from '../../tasks/visibility/project-visibility.queries.ts';
import { isTaskVisibleTo } from '../../tasks/visibility/task-visibility.queries.ts';
import { type NotificationType, optInTypes } from './notifications.schema.ts';

const t = aliasTable(tasks, 't');
const excluded = aliasTable(notificationCounts, 'excluded');
const c = aliasTable(comments, 'c');
const m = aliasTable(activeMembers, 'm');
const mt = aliasTable(meetingTasks, 'mt');
const b = aliasTable(tasks, 'b');
const nn = aliasTable(notifications, 'nn');
const r = aliasTable(taskRelations, 'r');
const x = aliasTable(tasks, 'x');
const notificationInsertTarget = nameInsertColumns(
  notifications,
  'user_id',
  'ws',
  'type',
  'task',
  'project',
  'comment',
  'actor',
  'created_at',
);

/** A SELECT of `user_id`, `task`, `project` and `comment`. */
type RecipientQuery = SQL;

export interface NotificationDraft {
  readonly type: NotificationType;
  readonly recipients: RecipientQuery;
}

export function notify(ctx: WriteContext, inserted: readonly NotificationDraft[]): Statement<void>[] {
  const counted = inserted.filter(({ type }) => !optInTypes.includes(type));
  return [
    ...(inserted.length === 0
      ? []
      : [
          write(sql`
            INSERT INTO ${notificationInsertTarget}
            SELECT r.user_id, ${ctx.caller.workspace}, r.type, r.task, r.project, r.comment, ${getActorMember(ctx)},
              max(${ctx.now}, coalesce((SELECT ${nn.created_at} FROM ${nn} ORDER BY ${nn.id} DESC LIMIT 1), 0))
            FROM (${selectAllRecipients(inserted)}) r`),
        ]),
    ...(counted.length === 0 ? [] : [increaseNotificationCounts(selectAllRecipients(counted))]),
  ];
}

function selectAllRecipients(united: readonly NotificationDraft[]): SQL {
  const selects = united.map(
    ({ type, recipients }) => sql`SELECT ${type} AS type, r.* FROM (${recipients}) r`,
  );
  return sql.join(selects, sql` UNION ALL `);
}

function increaseNotificationCounts(recipients: SQL): Statement<void> {
  return write(sql`
      INSERT INTO ${nameInsertColumns(notificationCounts, 'user_id', 'total', 'unread')}
      SELECT r.user_id, count(*), count(*) FROM (${recipients}) r WHERE true GROUP BY r.user_id
      ON CONFLICT (${notificationCounts.user_id}) DO UPDATE SET
        ${notificationCounts.total} = ${notificationCounts.total} + ${excluded.total},
        ${notificationCounts.unread} = ${notificationCounts.unread} + ${excluded.unread}`);
}

/** `haveSeveral` is true if any of the tasks has, or could have, more than one assignee. */
export function buildAllAssigneeNotifications(
  ctx: WriteContext,
  selection: TaskSelection,
  haveSeveral: boolean,
): NotificationDraft {
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, NULL AS comment
    FROM (SELECT ${t.id}, ${t.project}, ${t.assignee} FROM ${buildSelectionFromClause(t, selection)}) t
      CROSS JOIN ${m} ON ${m.no} = ${t.assignee}
    WHERE ${t.assignee} <> ${getActorMember(ctx)}`;
  const others = sql`
    SELECT ${m.user_id}, ${t.id}, ${t.project}, NULL
    FROM (SELECT ${t.id}, ${t.project}, ${t.other_assignees} FROM ${buildSelectionFromClause(t, selection)}) t
      CROSS JOIN json_each(${t.other_assignees}) n CROSS JOIN ${m} ON ${m.no} = n.value
    WHERE n.value <> ${getActorMember(ctx)}`;
  const everyone = haveSeveral ? sql`${recipients} UNION ALL ${others}` : recipients;
  return { type: 'task_assigned', recipients: everyone };
}

/** Leaves out people who are assigned already. Must come before the statements that update the tasks. */
export function buildAddedAssigneeNotifications(
  ctx: WriteContext,
  selection: TaskSelection,
  changes: NewValues,
): NotificationDraft {
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, n.task, n.project, NULL AS comment
    FROM (${selectNewAssignees(selection, changes)}) n CROSS JOIN ${m} ON ${m.no} = n.no
    WHERE n.no <> ${getActorMember(ctx)}`;
  return { type: 'task_assigned', recipients };
}

/**
 * Must come before the statements that update the tasks. `assignee` is one member for all tasks, or an expression per
 * task.
 */
export function buildAssigneeNotifications(
  ctx: WriteContext,
  assignee: number | TaskExpression,
  selection: TaskSelection,
): NotificationDraft[] {
  if (typeof assignee !== 'number') {
    const recipients = sql`
      SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, NULL AS comment
      FROM (SELECT ${t.id}, ${t.project}, ${assignee(t)} AS assignee FROM ${buildSelectionFromClause(t, selection)}) t
      CROSS JOIN ${m} ON ${m.no} = ${t.assignee} WHERE ${t.assignee} <> ${getActorMember(ctx)}`;
    return [{ type: 'task_assigned', recipients }];
  }
  if (assignee === getActorMember(ctx)) return [];
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, NULL AS comment
    FROM (SELECT ${t.id}, ${t.project} FROM ${buildSelectionFromClause(t, selection)}) t CROSS JOIN ${m} ON ${m.no} = ${assignee}`;
  return [{ type: 'task_assigned', recipients }];
}

function getActorMember({ caller, via }: WriteContext): number {
  return hasNoActor(via) ? 0 : caller.member;
}

/** Skips the actor, and the people in `except`, who get another notification instead. */
export function buildFollowerNotifications(
  ctx: WriteContext,
  type: 'task_status_changed' | 'comment_added',
  selection: TaskSelection,
  except: readonly string[] = [],
  comment = type === 'comment_added' ? sql`(SELECT max(${comments.id}) FROM ${comments})` : sql`NULL`,
): NotificationDraft {
  const others = except.length > 0 ? sql`AND ${m.user_id} NOT IN ${buildInList(except)}` : sql``;
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, ${comment} AS comment
    FROM (SELECT ${t.id}, ${t.project}, ${t.followers} FROM ${buildSelectionFromClause(t, selection)}) t
    CROSS JOIN json_each(${t.followers}) f
    CROSS JOIN ${m} ON ${m.no} = f.value
    WHERE f.value <> ${getActorMember(ctx)} ${others}`;
  return { type, recipients };
}

/** The newest comment of task `t`, for use when several tasks get a comment in the same batch. */
export const lastCommentOfTask = sql`(SELECT max(${c.id}) FROM ${c} WHERE ${c.task} = ${t.id})`;

interface MentionDetails {
  task: number | readonly number[];
  comment: SQL;
  /** User ids. Only people who can see the task are notified. */
  people: readonly string[];
}

/** Notifies people whom the stored text doesn't mention yet. Must come before the statement that updates the text. */
export function notifyNewlyMentioned(ctx: WriteContext, mentioning: MentionDetails): Statement<void>[] {
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${c}
    WHERE ${c.id} = ${mentioning.comment} AND instr(${c.content}, '@[' || ${m.user_id} || ']') > 0)`;
  return notifyMentionedPeople(ctx, mentioning, isNew);
}

export function notifyMentioned(ctx: WriteContext, mentioning: MentionDetails): Statement<void>[] {
  return notifyMentionedPeople(ctx, mentioning, sql`true`);
}

function notifyMentionedPeople(ctx: WriteContext, { task, comment, people }: MentionDetails, condition: SQL) {
  if (people.length === 0) return [];
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, ${comment} AS comment
    FROM ${t} NOT INDEXED CROSS JOIN ${m} ON ${m.ws} = ${t.ws} AND ${m.user_id} IN ${buildInList(people)}
    WHERE ${t.id} ${typeof task === 'number' ? sql`= ${task}` : sql`IN ${buildInList(task)}`} AND ${m.no} <> ${getActorMember(ctx)} AND ${isTaskVisibleTo(t, m)} AND ${condition}`;
  return notify(ctx, [{ type: 'mentioned', recipients }]);
}

/** Like `notifyMentioned` and `buildFollowerNotifications`, for comments with different texts. */
export function notifyOfComments(
  ctx: WriteContext,
  created: SQL,
  mentions: readonly (readonly [place: number, userId: string])[],
): Statement<void>[] {
  const comment = sql`${c} NOT INDEXED CROSS JOIN ${t} NOT INDEXED ON ${t.id} = ${c.task} AND ${t.ws} = ${ctx.caller.workspace}`;
  const named = sql`
    SELECT n.id AS comment, d.value ->> 1 AS user_id FROM json_each(${JSON.stringify(mentions)}) d
    CROSS JOIN (SELECT ${c.id} AS id, row_number() OVER (ORDER BY ${c.id}) - 1 AS place FROM ${c} WHERE ${c.id} IN ${created}) n
      ON n.place = d.value ->> 0`;
  const mentioned = sql`
    SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, ${c.id} AS comment
    FROM (${named}) q CROSS JOIN ${comment} CROSS JOIN ${m} ON ${m.ws} = ${t.ws} AND ${m.user_id} = q.user_id
    WHERE ${c.id} = q.comment AND ${m.no} <> ${getActorMember(ctx)} AND ${isTaskVisibleTo(t, m)}`;
  const followers = sql`
    SELECT ${m.user_id} AS user_id, ${t.id} AS task, ${t.project} AS project, ${c.id} AS comment
    FROM ${comment} CROSS JOIN json_each(${t.followers}) f CROSS JOIN ${m} ON ${m.no} = f.value
    WHERE ${c.id} IN ${created} AND f.value <> ${getActorMember(ctx)}
      AND (${c.id}, ${m.user_id}) NOT IN (${named})`;
  return notify(ctx, [
    ...(mentions.length > 0 ? [{ type: 'mentioned', recipients: mentioned } as const] : []),
    { type: 'comment_added', recipients: followers },
  ]);
}

/**
 * Selects the assignees of open tasks whose last open blockers are in `closing`, a SELECT of task ids. Must run before
 * the tasks and their counts of open blockers are updated. If an assignee can't see every task, counts only the
 * blockers that the assignee can see.
 */
export function buildUnblockedNotifications(ctx: WriteContext, closing: SQL): NotificationDraft {
  const ws = ctx.caller.workspace;
  const hasBlocker = (condition: SQL) => sql`EXISTS (
    SELECT 1 FROM ${r} INDEXED BY task_relations_by_target CROSS JOIN ${b} ON ${b.id} = ${r.source}
    WHERE ${r.ws} = ${ws} AND ${r.target} = ${x.id} AND ${r.type} = 'blocks' AND ${b.ws} = ${ws} AND ${isOpenTask(b)}
      AND ${b.id} ${condition} (SELECT id FROM closing) AND ${isTaskVisibleTo(b, m)})`;
  const recipients = sql`
    WITH closing (id) AS MATERIALIZED (${closing}),
    freed (id, closed) AS MATERIALIZED (
      SELECT ${r.target}, count(*) FROM closing c CROSS JOIN ${r} INDEXED BY task_relations_by_source
        ON ${r.ws} = ${ws} AND ${r.source} = c.id AND ${r.type} = 'blocks' GROUP BY ${r.target})
    SELECT ${m.user_id} AS user_id, ${x.id} AS task, ${x.project} AS project, NULL AS comment
    FROM freed f CROSS JOIN ${x} NOT INDEXED ON ${x.id} = f.id
      CROSS JOIN json_each(${buildAssigneeList(x.assignee, x.other_assignees)}) n CROSS JOIN ${m} ON ${m.no} = n.value
    WHERE ${x.ws} = ${ws} AND ${isOpenTask(x)} AND ${x.id} NOT IN (SELECT id FROM closing)
      AND n.value <> ${getActorMember(ctx)} AND iif(${isLimitedReader(m, 'seeTasks')},
        ${hasBlocker(sql`IN`)} AND NOT ${hasBlocker(sql`NOT IN`)}, ${x.open_blockers} = f.closed)`;
  return { type: 'unblocked', recipients };
}

/** Creates one notification per person and task. `reminded` selects `member`, `task` and `ws`. */
export function notifyAboutReminders(reminded: SQL, now: number): Statement<void> {
  return write(sql`
    INSERT INTO ${notificationInsertTarget}
    SELECT ${m.user_id}, ${t.ws}, 'reminder', ${t.id}, ${t.project}, NULL, 0,
      max(${now}, coalesce((SELECT ${nn.created_at} FROM ${nn} ORDER BY ${nn.id} DESC LIMIT 1), 0))
    FROM (SELECT DISTINCT member, task, ws FROM (${reminded})) q
    CROSS JOIN ${t} NOT INDEXED ON ${t.id} = q.task AND ${t.ws} = q.ws
    CROSS JOIN ${m} ON ${m.no} = q.member AND ${m.ws} = q.ws`);
}

interface MeetingOccurrence {
  id: number;
  occurrence: number;
  project: number;
}

export function notifyParticipants(
  ctx: WriteContext,
  type: 'meeting_updated' | 'meeting_cancelled',
  { id, occurrence, project }: MeetingOccurrence,
): Statement<void>[] {
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, ${mt.task} AS task, ${project} AS project, NULL AS comment
    FROM ${mt} CROSS JOIN ${m} ON ${m.no} = ${mt.member} CROSS JOIN ${t} ON ${t.id} = ${mt.task} AND ${t.ws} = ${m.ws}
    WHERE ${mt.meeting} = ${id} AND ${mt.occurrence} = ${occurrence} AND ${mt.member} <> ${getActorMember(ctx)}`;
  return notify(ctx, [{ type, recipients }]);
}

/**
 * Notifies the person who authorized the app, because they review its changes. An app is not a member, so the
 * notification has no actor.
 */
export function notifyReviewer(ctx: WriteContext): Statement<void>[] {
  const recipients = sql`
    SELECT ${m.user_id} AS user_id, NULL AS task, NULL AS project, NULL AS comment
    FROM ${m} WHERE ${m.no} = ${ctx.caller.member} AND ${m.ws} = ${ctx.caller.workspace}`;
  return notify({ ...ctx, via: 'system' }, [{ type: 'changes_proposed', recipients }]);
}
