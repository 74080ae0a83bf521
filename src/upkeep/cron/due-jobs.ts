import { cleanBrowserSessions } from '../../accounts/browser-sessions/end-sessions.ts';
import { anonymizeEvents, copyChangedPeople } from '../../accounts/own/copy-people.ts';
import { cleanAccountLinks } from '../../accounts/own/password-reset.ts';
import { cleanPictures } from '../../accounts/own/picture.ts';
import { cleanVerifications } from '../../accounts/sign-up/verify-email.ts';
import { cleanAuditEntries } from '../../audit/retention.ts';
import { cleanChangeSets } from '../../change-sets/lifecycle/clean-change-sets.ts';
import { expireEvents } from '../../events/log/retention.ts';
import { cleanExports } from '../../exports/run/clean-exports.ts';
import { continueExports } from '../../exports/run/run-exports.ts';
import { deleteDueObjects } from '../../files/objects/delete-objects.ts';
import { sweepObjects } from '../../files/objects/sweep-objects.ts';
import { expireUploads } from '../../files/uploads/expire-uploads.ts';
import { cleanImports } from '../../imports/run/clean-imports.ts';
import { continueImports } from '../../imports/run/run-imports.ts';
import { cleanIdempotencyKeys } from '../../kernel/idempotency/idempotency.ts';
import { cleanSentForms } from '../../kernel/idempotency/sent-forms.ts';
import type { CellJob, DirectoryJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { cleanRemovals } from '../../kernel/removals/clean-removals.ts';
import type { SQL } from '../../kernel/sql/database.ts';
import { cleanOutbox } from '../../mail/deliver.ts';
import { deliverOutbox } from '../../mail/mail-queues.ts';
import { generateOccurrences } from '../../meetings/operations/occurrences.ts';
import { cleanNotifications } from '../../notifications/inbox/retention.ts';
import { collectEmails } from '../../notifications/mail/collect-emails.ts';
import { queueDailyEmails } from '../../notifications/mail/daily-mail.ts';
import { collectPush } from '../../notifications/push/collect-push.ts';
import { cleanOauth } from '../../oauth/clean-oauth.ts';
import { cleanCredentials } from '../../oauth/connected-apps/clean-credentials.ts';
import { revokeDeletedApps } from '../../oauth/own-apps/revoke-deleted-apps.ts';
import { deleteProjects } from '../../projects/deletion/delete-slices.ts';
import { indexWaitingTexts } from '../../search/index/index-waiting-texts.ts';
import { updateDefaultHours } from '../../tasks/categories/update-default-hours.ts';
import { moveCutoffs } from '../../tasks/counters/cutoffs.ts';
import { repairCounters, repairMemberTotals } from '../../tasks/counters/repair.ts';
import { removeExpiredFields } from '../../tasks/custom-fields/remove-values.ts';
import { deliverReminders } from '../../tasks/operations/deliver-reminders.ts';
import { repeatTasks } from '../../tasks/operations/repeat-tasks.ts';
import { cleanTrash } from '../../tasks/trash/clean-trash.ts';
import { updateOutdatedComments } from '../../tasks/write/outdated-comments.ts';
import { resealSecrets } from '../../webhooks/delivery/reseal.ts';
import { wakeLateWebhooks } from '../../webhooks/delivery/wake-late-webhooks.ts';
import { sendInvitations } from '../../workspaces/invitations/send-invitations.ts';
import { finishDepartures } from '../../workspaces/people/departures.ts';
import { deleteWorkspaces } from '../../workspaces/settings/delete-workspace.ts';
import { repairMemberships } from '../integrity/repair.ts';
import type { ScheduledJob } from './run-jobs.ts';

const jobs: Record<string, { once: readonly DirectoryJob[]; everyCell: readonly CellJob[] }> = {
  '* * * * *': {
    once: [
      deliverOutbox,
      queueDailyEmails,
      cleanOutbox,
      cleanVerifications,
      copyChangedPeople,
      cleanPictures,
      cleanSentForms,
      cleanAccountLinks,
      cleanBrowserSessions,
      cleanOauth,
      revokeDeletedApps,
    ],
    everyCell: [
      moveCutoffs,
      cleanIdempotencyKeys,
      generateOccurrences,
      repeatTasks,
      deliverReminders,
      continueImports,
      cleanImports,
      continueExports,
      cleanExports,
      expireUploads,
      deleteDueObjects,
      cleanRemovals,
      deleteWorkspaces,
      deleteProjects,
      repairMemberships,
      anonymizeEvents,
      finishDepartures,
      updateDefaultHours,
      removeExpiredFields,
      sendInvitations,
      collectEmails,
      collectPush,
      cleanNotifications,
      cleanChangeSets,
      cleanCredentials,
      cleanAuditEntries,
      wakeLateWebhooks,
      indexWaitingTexts,
      updateOutdatedComments,
      cleanTrash,
    ],
  },
  '17 3 * * *': {
    once: [],
    everyCell: [repairCounters, repairMemberTotals, sweepObjects, expireEvents, resealSecrets],
  },
};

export interface DatabaseJob extends ScheduledJob {
  /** The name without the cell number, so it's the same in every cell. */
  readonly job: string;
  readonly isDue: SQL | null;
}

export const crons: readonly string[] = Object.keys(jobs);

export function listJobs(cron: string, cell: number | null, scope: RequestScope): DatabaseJob[] {
  const { once, everyCell } = jobs[cron] ?? { once: [], everyCell: [] };
  if (cell === null) {
    return once.map((job) => ({
      ...job,
      job: job.name,
      isDue: null,
      run: (allowance) => job.run(scope, allowance),
    }));
  }
  return everyCell.map((job) => ({
    ...job,
    job: job.name,
    name: `${job.name} ${cell}`,
    isDue: job.isDue?.(scope) ?? null,
    run: (allowance) => job.run(scope, cell, allowance),
  }));
}
