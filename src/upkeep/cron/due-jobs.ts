import { CLEAN_SESSIONS_COST, cleanBrowserSessions } from '../../accounts/browser-sessions/end-sessions.ts';
import { hasForgottenMembers } from '../../accounts/own/copy-people.queries.ts';
import {
  ANONYMIZE_EVENTS_COST,
  anonymizeEvents,
  COPY_PEOPLE_COST,
  copyChangedPeople,
} from '../../accounts/own/copy-people.ts';
import { cleanAccountLinks } from '../../accounts/own/password-reset.ts';
import { CLEAN_PICTURES_COST, cleanPictures } from '../../accounts/own/picture.ts';
import { cleanVerifications } from '../../accounts/sign-up/verify-email.ts';
import { AUDIT_SLICE_COST, areAuditEntriesDue, cleanAuditEntries } from '../../audit/retention.ts';
import { hasEndedSets } from '../../change-sets/lifecycle/clean-change-sets.queries.ts';
import { CHANGE_SETS_SLICE_COST, cleanChangeSets } from '../../change-sets/lifecycle/clean-change-sets.ts';
import { EVENT_SLICE_COST, expireEvents } from '../../events/log/retention.ts';
import { hasExpiredUploads } from '../../files/attachments/storage.queries.ts';
import { DELETION_COST, deleteDueObjects } from '../../files/objects/delete-objects.ts';
import { hasDueObjects } from '../../files/objects/objects.queries.ts';
import { SWEEP_COST, sweepObjects } from '../../files/objects/sweep.ts';
import { EXPIRY_COST, expireUploads } from '../../files/uploads/expire.ts';
import { haveImportsExpired } from '../../imports/run/clean-imports.queries.ts';
import { CLEAN_IMPORTS_COST, cleanImports } from '../../imports/run/clean-imports.ts';
import { continueImports, IMPORTS_COST } from '../../imports/run/run-imports.ts';
import { hasRunningImports } from '../../imports/run/slices.queries.ts';
import {
  areIdempotencyKeysDue,
  cleanIdempotencyKeys,
  IDEMPOTENCY_KEYS_SLICE_COST,
} from '../../kernel/idempotency/idempotency.ts';
import { cleanSentForms } from '../../kernel/idempotency/sent-forms.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { cleanRemovals, REMOVALS_SLICE_COST } from '../../kernel/removals/clean-removals.ts';
import { hasExpiredRemovals } from '../../kernel/removals/removals.queries.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import type { SQL } from '../../kernel/sql/database.ts';
import { cleanOutbox } from '../../mail/deliver.ts';
import { SWEEP_OUTBOX_COST, sendDueEmails } from '../../mail/mail-queues.ts';
import { hasDueMeetings } from '../../meetings/operations/occurrences.queries.ts';
import { generateOccurrences, OCCURRENCE_COST } from '../../meetings/operations/occurrences.ts';
import {
  areNotificationsDue,
  cleanNotifications,
  NOTIFICATIONS_SLICE_COST,
} from '../../notifications/inbox/retention.ts';
import { areEmailsDue, COLLECT_COST, collectEmails } from '../../notifications/mail/collect.ts';
import { DAILY_COST, queueDailyEmails } from '../../notifications/mail/daily.ts';
import { CLEAN_OAUTH_COST, cleanOauth } from '../../oauth/clean-oauth.ts';
import {
  areCredentialsDue,
  CREDENTIALS_SLICE_COST,
  cleanCredentials,
} from '../../oauth/connected-apps/clean-credentials.ts';
import { REVOKE_SLICE_COST, revokeDeletedApps } from '../../oauth/own-apps/revoke-deleted-apps.ts';
import { DELETE_PROJECTS_COST, deleteProjects } from '../../projects/deletion/delete-slices.ts';
import { hasDeletions } from '../../projects/deletion/progress.queries.ts';
import { indexWaitingTexts, STATEMENTS_PER_WAITING_SLICE } from '../../search/index/index-waiting.ts';
import { hasWaitingTexts } from '../../search/index/waiting.queries.ts';
import { hasHourChanges } from '../../tasks/categories/categories.queries.ts';
import { runHourChanges, STATEMENTS_PER_HOUR_CHANGE } from '../../tasks/categories/hour-changes.ts';
import {
  hasOutdatedTasks,
  STATEMENTS_PER_OUTDATED_SLICE,
} from '../../tasks/counters/comment-counts.queries.ts';
import { areCutoffsDue, moveCutoffs, STATEMENTS_PER_CUTOFF_BATCH } from '../../tasks/counters/cutoffs.ts';
import {
  repairCounters,
  repairMemberTotals,
  STATEMENTS_PER_MEMBER,
  STATEMENTS_PER_PROJECT,
} from '../../tasks/counters/repair.ts';
import {
  haveFieldsExpired,
  REMOVE_VALUES_COST,
  removeExpiredFields,
} from '../../tasks/custom-fields/remove-values.ts';
import { deliverReminders, REMINDERS_COST } from '../../tasks/operations/deliver-reminders.ts';
import { REPEAT_COST, repeatTasks } from '../../tasks/operations/repeat-tasks.ts';
import { hasDueSeries } from '../../tasks/recurrence/recurrences.queries.ts';
import { hasDueReminders } from '../../tasks/reminders/reminders.queries.ts';
import { cleanTrash, isTrashDue, TRASH_COST } from '../../tasks/trash/clean-trash.ts';
import { updateOutdatedComments } from '../../tasks/write/outdated-comments.ts';
import { RESEAL_COST, resealSecrets } from '../../webhooks/delivery/reseal.ts';
import {
  areWebhooksDue,
  WAKE_LATE_COST,
  wakeLateWebhooks,
} from '../../webhooks/delivery/wake-late-webhooks.ts';
import { hasUnsettledMemberships } from '../../workspaces/directory/memberships.queries.ts';
import {
  areInvitationsDue,
  INVITATIONS_COST,
  sendInvitations,
} from '../../workspaces/invitations/send-invitations.ts';
import { DEPARTURES_COST, finishDepartures } from '../../workspaces/people/departures.ts';
import { hasDepartures } from '../../workspaces/people/people.queries.ts';
import { hasClosedWorkspaces } from '../../workspaces/settings/delete-workspace.queries.ts';
import { DELETE_WORKSPACES_COST, deleteWorkspaces } from '../../workspaces/settings/delete-workspace.ts';
import { MEMBERSHIP_REPAIR_COST, repairMemberships } from '../integrity/repair.ts';
import type { ScheduledJob } from './run-jobs.ts';

const ALWAYS_DUE = null;

/** Must stay within its allowance and be safe to repeat. Returns whether there may be more work. */
type CellJob = readonly [
  name: string,
  /** The number of statements and calls to find and process one unit. */
  cost: number,
  run: (scope: RequestScope, cell: number, allowance: Allowance) => Promise<boolean>,
  /** Builds an SQL condition that is true whenever the job has work in the cell. It reads one or two rows. */
  isDue: ((moment: Pick<RequestScope, 'now'>) => SQL) | typeof ALWAYS_DUE,
];

interface Jobs {
  once: (scope: RequestScope) => readonly ScheduledJob[];
  everyCell: readonly CellJob[];
}

const jobs: Record<string, Jobs> = {
  '* * * * *': {
    once: (scope) => [
      {
        name: 'outbox.deliver',
        cost: SWEEP_OUTBOX_COST,
        run: (allowance) => sendDueEmails(scope, scope.now, allowance),
      },
      { name: 'emails.daily', cost: DAILY_COST, run: (allowance) => queueDailyEmails(scope, allowance) },
      createSliceJob('outbox.clean', 1, () => cleanOutbox(scope)),
      createSliceJob('verifications.clean', 1, () => cleanVerifications(scope)),
      {
        name: 'people.settle',
        cost: COPY_PEOPLE_COST,
        run: (allowance) => copyChangedPeople(scope, allowance),
      },
      {
        name: 'pictures.clean',
        cost: CLEAN_PICTURES_COST,
        run: (allowance) => cleanPictures(scope, allowance),
      },
      createSliceJob('forms.clean', 1, () => cleanSentForms(scope)),
      createSliceJob('links.clean', 1, () => cleanAccountLinks(scope)),
      {
        name: 'sessions.clean',
        cost: CLEAN_SESSIONS_COST,
        run: (allowance) => cleanBrowserSessions(scope, allowance),
      },
      createSliceJob('oauth.clean', CLEAN_OAUTH_COST, () => cleanOauth(scope)),
      {
        name: 'apps.revoke',
        cost: REVOKE_SLICE_COST,
        run: (allowance) => revokeDeletedApps(scope, allowance),
      },
    ],
    everyCell: [
      ['deadlines.sum', 1 + STATEMENTS_PER_CUTOFF_BATCH, moveCutoffs, areCutoffsDue],
      ['idempotency.clean', IDEMPOTENCY_KEYS_SLICE_COST, cleanIdempotencyKeys, areIdempotencyKeysDue],
      ['meetings.generate', 1 + OCCURRENCE_COST, generateOccurrences, hasDueMeetings],
      ['tasks.repeat', 1 + REPEAT_COST, repeatTasks, hasDueSeries],
      ['reminders.deliver', REMINDERS_COST, deliverReminders, hasDueReminders],
      ['imports.run', IMPORTS_COST, continueImports, hasRunningImports],
      ['imports.clean', CLEAN_IMPORTS_COST, cleanImports, haveImportsExpired],
      ['uploads.expire', 1 + EXPIRY_COST, expireUploads, hasExpiredUploads],
      ['objects.delete', DELETION_COST, deleteDueObjects, hasDueObjects],
      ['removals.clean', REMOVALS_SLICE_COST, cleanRemovals, hasExpiredRemovals],
      ['workspaces.delete', DELETE_WORKSPACES_COST, deleteWorkspaces, hasClosedWorkspaces],
      ['projects.delete', DELETE_PROJECTS_COST, deleteProjects, hasDeletions],
      [
        'memberships.settle',
        MEMBERSHIP_REPAIR_COST.find + MEMBERSHIP_REPAIR_COST.each,
        repairMemberships,
        hasUnsettledMemberships,
      ],
      ['names.forget', ANONYMIZE_EVENTS_COST, anonymizeEvents, hasForgottenMembers],
      ['departures.finish', DEPARTURES_COST, finishDepartures, hasDepartures],
      ['hours.follow', STATEMENTS_PER_HOUR_CHANGE, runHourChanges, hasHourChanges],
      ['custom-fields.remove', REMOVE_VALUES_COST, removeExpiredFields, haveFieldsExpired],
      ['invitations.send', INVITATIONS_COST, sendInvitations, areInvitationsDue],
      ['emails.collect', COLLECT_COST, collectEmails, areEmailsDue],
      ['notifications.clean', NOTIFICATIONS_SLICE_COST, cleanNotifications, areNotificationsDue],
      ['change-sets.clean', CHANGE_SETS_SLICE_COST, cleanChangeSets, hasEndedSets],
      ['credentials.clean', CREDENTIALS_SLICE_COST, cleanCredentials, areCredentialsDue],
      ['audit.clean', AUDIT_SLICE_COST, cleanAuditEntries, areAuditEntriesDue],
      ['webhooks.wake', WAKE_LATE_COST, wakeLateWebhooks, areWebhooksDue],
      ['search.index', STATEMENTS_PER_WAITING_SLICE, indexWaitingTexts, hasWaitingTexts],
      ['comments.update', STATEMENTS_PER_OUTDATED_SLICE, updateOutdatedComments, hasOutdatedTasks],
      ['trash.clean', TRASH_COST, cleanTrash, isTrashDue],
    ],
  },
  '17 3 * * *': {
    once: () => [],
    everyCell: [
      ['counters.repair', 3 + STATEMENTS_PER_PROJECT, repairCounters, ALWAYS_DUE],
      ['totals.repair', 3 + STATEMENTS_PER_MEMBER, repairMemberTotals, ALWAYS_DUE],
      ['objects.sweep', SWEEP_COST.run + SWEEP_COST.page, sweepObjects, ALWAYS_DUE],
      ['events.shorten', 1 + EVENT_SLICE_COST, expireEvents, ALWAYS_DUE],
      ['webhooks.reseal', RESEAL_COST, resealSecrets, ALWAYS_DUE],
    ],
  },
};

function createSliceJob(name: string, cost: number, run: () => Promise<void>): ScheduledJob {
  return { name, cost, run: () => run().then(() => false) };
}

export interface DatabaseJob extends ScheduledJob {
  /** The name without the cell number, so it's the same in every cell. */
  readonly job: string;
  readonly isDue: SQL | null;
}

export const crons: readonly string[] = Object.keys(jobs);

export function listJobs(cron: string, cell: number | null, scope: RequestScope): DatabaseJob[] {
  const { once, everyCell } = jobs[cron] ?? { once: () => [], everyCell: [] };
  if (cell === null) return once(scope).map((job) => ({ ...job, job: job.name, isDue: ALWAYS_DUE }));
  return everyCell.map(([name, cost, run, isDue]) => ({
    job: name,
    name: `${name} ${cell}`,
    cost,
    run: (allowance) => run(scope, cell, allowance),
    isDue: isDue?.(scope) ?? null,
  }));
}
