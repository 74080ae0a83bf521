import { cleanBrowserSessions, cleanSessionsCost } from '../../accounts/browser-sessions/end-sessions.ts';
import { cleanAccountLinks } from '../../accounts/own/password-reset.ts';
import { cleanPictures, PICTURES_COST } from '../../accounts/own/picture.ts';
import {
  FORGET_EVENTS_COST,
  forgetNames,
  SETTLE_PEOPLE_COST,
  settlePeople,
} from '../../accounts/own/settle-people.ts';
import { cleanVerifications } from '../../accounts/sign-up/verify-email.ts';
import { expireEvents, FEED_SLICE_COST } from '../../events/log/retention.ts';
import { DELETION_COST, deleteDueObjects } from '../../files/objects/delete-objects.ts';
import { SWEEP_COST, sweepObjects } from '../../files/objects/sweep.ts';
import { EXPIRY_COST, expireUploads } from '../../files/uploads/expire.ts';
import { cleanIdempotencyKeys, KEYS_SLICE_COST } from '../../kernel/idempotency/idempotency.ts';
import { cleanSentForms } from '../../kernel/idempotency/sent-forms.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { cleanRemovals, REMOVALS_SLICE_COST } from '../../kernel/removals/retention.ts';
import type { Allowance } from '../../kernel/sql/budget.ts';
import { cleanOutbox } from '../../mail/deliver.ts';
import { OUTBOX_COST, sweepOutbox } from '../../mail/queues.ts';
import { generateOccurrences, OCCURRENCE_COST } from '../../meetings/operations/occurrences.ts';
import { cleanNotifications, NOTIFICATIONS_SLICE_COST } from '../../notifications/inbox/retention.ts';
import { COLLECT_COST, collectMails } from '../../notifications/mail/collect.ts';
import { DAILY_COST, mailDaily } from '../../notifications/mail/daily.ts';
import { CLEAN_OAUTH_COST, cleanOauth } from '../../oauth/clean.ts';
import { CREDENTIALS_SLICE_COST, cleanCredentials } from '../../oauth/connected-apps/retention.ts';
import { DELETE_PROJECTS_COST, deleteProjects } from '../../projects/deletion/delete-slices.ts';
import { indexWaitingTexts, STATEMENTS_PER_WAITING_SLICE } from '../../search/index/index-waiting.ts';
import { runHourChanges, STATEMENTS_PER_HOUR_CHANGE } from '../../tasks/categories/hour-changes.ts';
import { moveCutoffs, STATEMENTS_PER_CUTOFF_BATCH } from '../../tasks/counters/cutoffs.ts';
import {
  repairCounters,
  repairTotals,
  STATEMENTS_PER_MEMBER,
  STATEMENTS_PER_PROJECT,
} from '../../tasks/counters/repair.ts';
import { RESEAL_COST, resealSecrets } from '../../webhooks/delivery/reseal.ts';
import { WAKE_LATE_COST, wakeLateWebhooks } from '../../webhooks/delivery/wake-late-webhooks.ts';
import { INVITATIONS_COST, sendInvitations } from '../../workspaces/invitations/send-invitations.ts';
import { DEPARTURES_COST, finishDepartures } from '../../workspaces/people/departures.ts';
import { DELETE_WORKSPACES_COST, deleteWorkspaces } from '../../workspaces/settings/delete-workspace.ts';
import { repairMemberships, SETTLE_COST } from '../integrity/repair.ts';
import type { ScheduledJob } from './run-jobs.ts';

/** Works in one cell within an allowance and returns whether there may be more to do. Safe to repeat. */
type CellJob = readonly [
  name: string,
  /** Statements and calls for finding and doing one unit. */
  cost: number,
  run: (scope: RequestScope, cell: number, allowance: Allowance) => Promise<boolean>,
];

interface Jobs {
  /** Runs once per tick, regardless of the number of cells. */
  once: (scope: RequestScope) => readonly ScheduledJob[];
  everyCell: readonly CellJob[];
}

/** Jobs by the cron expressions of wrangler.toml. */
const jobs: Record<string, Jobs> = {
  '* * * * *': {
    once: (scope) => [
      {
        name: 'outbox.deliver',
        cost: OUTBOX_COST,
        run: (allowance) => sweepOutbox(scope, scope.now, allowance),
      },
      { name: 'mails.daily', cost: DAILY_COST, run: (allowance) => mailDaily(scope, allowance) },
      sliceJob('outbox.clean', 1, () => cleanOutbox(scope)),
      sliceJob('verifications.clean', 1, () => cleanVerifications(scope)),
      { name: 'people.settle', cost: SETTLE_PEOPLE_COST, run: (allowance) => settlePeople(scope, allowance) },
      { name: 'pictures.clean', cost: PICTURES_COST, run: (allowance) => cleanPictures(scope, allowance) },
      sliceJob('forms.clean', 1, () => cleanSentForms(scope)),
      sliceJob('links.clean', 1, () => cleanAccountLinks(scope)),
      {
        name: 'sessions.clean',
        cost: cleanSessionsCost(scope),
        run: (allowance) => cleanBrowserSessions(scope, allowance),
      },
      sliceJob('oauth.clean', CLEAN_OAUTH_COST, () => cleanOauth(scope)),
    ],
    everyCell: [
      ['deadlines.sum', 1 + STATEMENTS_PER_CUTOFF_BATCH, moveCutoffs],
      ['idempotency.clean', KEYS_SLICE_COST, cleanIdempotencyKeys],
      ['meetings.generate', 1 + OCCURRENCE_COST, generateOccurrences],
      ['uploads.expire', 1 + EXPIRY_COST, expireUploads],
      ['objects.delete', DELETION_COST, deleteDueObjects],
      ['removals.clean', REMOVALS_SLICE_COST, cleanRemovals],
      ['workspaces.delete', DELETE_WORKSPACES_COST, deleteWorkspaces],
      ['projects.delete', DELETE_PROJECTS_COST, deleteProjects],
      ['memberships.settle', SETTLE_COST.find + SETTLE_COST.each, repairMemberships],
      ['names.forget', FORGET_EVENTS_COST, forgetNames],
      ['departures.finish', DEPARTURES_COST, finishDepartures],
      ['hours.follow', STATEMENTS_PER_HOUR_CHANGE, runHourChanges],
      ['invitations.send', INVITATIONS_COST, sendInvitations],
      ['mails.collect', COLLECT_COST, collectMails],
      ['notifications.clean', NOTIFICATIONS_SLICE_COST, cleanNotifications],
      ['credentials.clean', CREDENTIALS_SLICE_COST, cleanCredentials],
      ['webhooks.wake', WAKE_LATE_COST, wakeLateWebhooks],
      ['search.index', STATEMENTS_PER_WAITING_SLICE, indexWaitingTexts],
    ],
  },
  '17 3 * * *': {
    once: () => [],
    everyCell: [
      ['counters.repair', 3 + STATEMENTS_PER_PROJECT, repairCounters],
      ['totals.repair', 3 + STATEMENTS_PER_MEMBER, repairTotals],
      ['objects.sweep', SWEEP_COST.run + SWEEP_COST.page, sweepObjects],
      ['events.shorten', 1 + FEED_SLICE_COST, expireEvents],
      ['webhooks.reseal', RESEAL_COST, resealSecrets],
    ],
  },
};

/** A job that does one slice per minute. */
function sliceJob(name: string, cost: number, run: () => Promise<void>): ScheduledJob {
  return { name, cost, run: () => run().then(() => false) };
}

export function listDueJobs(cron: string, scope: RequestScope): ScheduledJob[] | null {
  const due = jobs[cron];
  if (!due) return null;
  return [
    ...due.once(scope),
    ...[...scope.config.cells.keys()].flatMap((cell) =>
      due.everyCell.map(([name, cost, run]) => ({
        name: `${name} ${cell}`,
        cost,
        run: (allowance: Allowance) => run(scope, cell, allowance),
      })),
    ),
  ];
}
