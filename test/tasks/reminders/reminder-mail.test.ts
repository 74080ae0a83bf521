import { describe, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { Budget, unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { COLLECTION_MS, collectEmails } from '../../../src/notifications/mail/collect-emails.ts';
import { deliverReminders } from '../../../src/tasks/operations/deliver-reminders.ts';
import { updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';

const MINUTE_MS = 60_000;

async function listEmailsTo({ email }: Person) {
  const { results } = await env.DIRECTORY.prepare('SELECT * FROM outbox WHERE recipient = ? ORDER BY id')
    .bind(email)
    .all<{ subject: string; text: string; html: string }>();
  return results;
}

/** Other tests use the same databases, and a run collects a limited number of notifications. */
async function skipEarlierNotifications() {
  const newest = await getCell(0).prepare('SELECT max(id) AS id FROM notifications').first('id');
  await env.DIRECTORY.prepare('INSERT OR REPLACE INTO mailed_cells (cell, upto) VALUES (0, ?)')
    .bind(newest ?? 0)
    .run();
}

/** Runs the cron jobs that deliver reminders and collect emails, a few minutes apart. */
async function runJobsAt(ms: number) {
  await deliverReminders.run(openScope(ms), 0, new Budget(900));
  await collectEmails.run(openScope(ms + COLLECTION_MS + MINUTE_MS), 0, unlimitedAllowance);
}

describe('a reminder that is due', () => {
  it.each([
    ['Asia/Tokyo', '2030-01-09T07:30:00Z'],
    ['UTC', '2030-01-09T16:30:00Z'],
    ['America/Los_Angeles', '2030-01-10T00:30:00Z'],
  ])("is sent by email with the due time in the workspace's time zone (%s)", async (timezone, dueAt) => {
    await skipEarlierNotifications();
    const world = await createWorld();
    const { owner, member, lead } = world.people;
    await runForm(owner.token, updateWorkspace, { timezone });
    const task = await createTask(lead, world.projects.joined.id, {
      name: 'Send <b>the</b> report',
      deadline: '2030-01-09',
      dueTime: '17:00',
    });
    await api(member.token).put(`/tasks/${task.id}/reminders`, { items: [{ minutesBefore: 30 }] });

    await runJobsAt(Date.parse(dueAt) - MINUTE_MS);
    expect(await listEmailsTo(member)).toEqual([]);
    await runJobsAt(Date.parse(dueAt));
    await runJobsAt(Date.parse(dueAt) + 10 * MINUTE_MS);
    const [mail, ...others] = await listEmailsTo(member);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('1 new notification on Edgework');
    const link = `${parseEnv(env).publicUrl}/app/${world.id}/tasks/${task.id}`;
    expect(mail?.text).toContain(
      `- Edgework reminds you of Send <b>the</b> report\n  Due Wednesday, 9 January 2030 at 17:00\n  ${link}`,
    );
    expect(mail?.html).toContain('Due Wednesday, 9 January 2030 at 17:00');
    expect(mail?.html).not.toContain('<b>the');
    expect(await listEmailsTo(lead)).toEqual([]);
  });

  it('contains only the day if the task has no due time, and nothing if it has no deadline', async () => {
    await skipEarlierNotifications();
    const world = await createWorld();
    const { member } = world.people;
    const day = await createTask(member, world.projects.joined.id, { name: 'Day', deadline: '2030-02-01' });
    const none = await createTask(member, world.projects.joined.id, { name: 'None' });
    const at = '2030-01-31T08:00:00.000Z';
    for (const { id } of [day, none])
      await api(member.token).put(`/tasks/${id}/reminders`, { items: [{ at }] });
    await runJobsAt(Date.parse(at));
    const [mail] = await listEmailsTo(member);
    expect(mail?.text).toContain('- Edgework reminds you of Day\n  Due Friday, 1 February 2030\n');
    expect(mail?.text).toMatch(/- Edgework reminds you of None\n {2}http/);
  });
});
