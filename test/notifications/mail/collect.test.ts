import { beforeEach, describe, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { createRequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { COLLECTION_MS, collectEmails } from '../../../src/notifications/mail/collect-emails.ts';
import { queueDailyEmails } from '../../../src/notifications/mail/daily-mail.ts';
import { defaultModes, type MailModes } from '../../../src/notifications/mail/mail-modes.ts';
import { setMailPreferences } from '../../../src/notifications/mail/preferences.ts';
import { TestBrowser } from '../../oauth/flow.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let world: World;
let task: { id: number; name: string };

beforeEach(async () => {
  await env.DIRECTORY.batch(
    ['outbox', 'mail_preferences', 'mail_cursors', 'mailed_cells'].map((table) =>
      env.DIRECTORY.prepare(`DELETE FROM ${table}`),
    ),
  );
  // Skips the notifications that other tests left in this cell.
  await env.DIRECTORY.prepare('INSERT INTO mailed_cells (cell, upto) VALUES (0, ?)')
    .bind((await getCell(0).prepare('SELECT max(id) AS id FROM notifications').first('id')) ?? 0)
    .run();
  world = await createWorld();
  const { owner, member } = world.people;
  task = await createTask(owner, world.projects.other.id, { name: 'Plan <b>' });
  await api(member.token).patch(`/tasks/${task.id}`, { status: 'in_progress' });
});

const openScopeAt = (now: number) =>
  createRequestScope({
    env,
    config: parseEnv(env),
    origin: ORIGIN,
    waitUntil: (work) => void work,
    now,
  });
const getTimeAfter = (ms = COLLECTION_MS + MINUTE_MS) => Date.now() + ms;
const collectAt = (now = getTimeAfter()) => collectEmails.run(openScopeAt(now), 0, unlimitedAllowance);
const sendDailyEmails = (now: number) => queueDailyEmails.run(openScopeAt(now), unlimitedAllowance);
const writeComment = (person: Person, content: string) =>
  api(person.token).post(`/tasks/${task.id}/comments`, { content });
const setModes = (person: Person, modes: Partial<MailModes>) =>
  runForm(person.token, setMailPreferences, { ...defaultModes, ...modes });

interface Row {
  subject: string;
  text: string;
  html: string;
  unsubscribe: string;
}
async function listEmailsTo({ email }: Person): Promise<Row[]> {
  const { results } = await env.DIRECTORY.prepare('SELECT * FROM outbox WHERE recipient = ? ORDER BY id')
    .bind(email)
    .all<Row>();
  return results;
}

describe('immediate notification emails', () => {
  it('are sent after five minutes, with all notifications that have arrived by then', async () => {
    const { owner, member } = world.people;
    await writeComment(member, 'The first');
    await collectAt(getTimeAfter(COLLECTION_MS - MINUTE_MS));
    expect(await listEmailsTo(owner)).toEqual([]);
    await writeComment(member, `@[${owner.userId}], the <second> one`);
    await collectAt();
    const [mail, ...others] = await listEmailsTo(owner);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('2 new notifications on Edgework');
    expect(mail?.text).toContain(`- ${member.name} commented on Plan <b>\n  The first\n`);
    expect(mail?.text).toContain(`mentioned you in Plan <b>\n  @${owner.name}, the <second> one\n`);
    expect(mail?.text).toContain(`${parseEnv(env).publicUrl}/app/${world.id}/tasks/${task.id}`);
    expect(mail?.html).toContain('the &lt;second&gt; one');
    expect(mail?.html).not.toContain('<b>');
  });

  it('omit notifications that have been read or are no longer visible', async () => {
    const { owner, member, client } = world.people;
    await writeComment(member, 'Read at once');
    await api(owner.token).put('/notifications/read-all');
    await api(owner.token).patch(`/tasks/${task.id}`, { assigneeId: client.userId });
    await getCell(0).prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(client.member).run();
    await collectAt();
    expect([await listEmailsTo(owner), await listEmailsTo(client)]).toEqual([[], []]);
  });

  it('are sent once when cron runs overlap, without missing later notifications', async () => {
    const { owner, member } = world.people;
    await writeComment(member, 'Once');
    await Promise.all([collectAt(), collectAt(), collectAt()]);
    await collectAt();
    expect(await listEmailsTo(owner)).toHaveLength(1);
    await writeComment(member, 'And another');
    await collectAt(getTimeAfter(2 * COLLECTION_MS));
    const [, second] = await listEmailsTo(owner);
    expect(second?.subject).toBe('1 new notification on Edgework');
    expect(second?.text).toContain('And another');
    expect(second?.text).not.toContain('Once');
  });

  it('are sent only once, even if a run crashes before it saves its progress', async () => {
    const { owner, member, lead } = world.people;
    await writeComment(member, 'Before');
    const dying = openScopeAt(getTimeAfter());
    const move = /INSERT INTO mailed_cells/;
    const { directory } = dying;
    const batch = directory.batch.bind(directory);
    directory.batch = (statements) => {
      if (statements.some(({ sql }) => move.test(sql))) throw new Error('gone');
      return batch(statements);
    };
    await expect(collectEmails.run(dying, 0, unlimitedAllowance)).rejects.toThrow('gone');
    await writeComment(lead, 'After');
    await collectAt(getTimeAfter(2 * COLLECTION_MS));
    const emails = await listEmailsTo(owner);
    expect(emails.map(({ text }) => [text.includes('Before'), text.includes('After')])).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('contain only notifications of the types that the person chose', async () => {
    const { owner, member } = world.people;
    await setModes(owner, { comment_added: 'off', task_status_changed: 'at_once' });
    await writeComment(member, 'Not by mail');
    await api(member.token).patch(`/tasks/${task.id}`, { status: 'completed' });
    await collectAt();
    const [mail, ...others] = await listEmailsTo(owner);
    expect([mail?.subject, others]).toEqual(['2 new notifications on Edgework', []]);
    expect(mail?.text).not.toContain('Not by mail');
  });

  it('can be configured on an inbox page that shows the current settings', async () => {
    const screens = await WorkspaceBrowser.signIn(world, world.people.lead);
    const modes = { ...defaultModes, mentioned: 'daily', task_assigned: 'off' } as const;
    expect((await screens.send('/inbox/mail', '/inbox/mail', modes)).status).toBe(303);
    const { html } = await screens.open('/inbox/mail');
    const chosen = [...html.matchAll(/<option value="(\w+)" selected/g)].map(([, mode]) => mode);
    expect(chosen).toEqual(Object.values(modes));
    const wrong = await screens.send('/inbox/mail', '/inbox/mail', { ...modes, mentioned: 'hourly' });
    expect([wrong.status, wrong.html.includes('Choose an option from the list.')]).toEqual([400, true]);
  });

  it('contain no user-written text in the subject, and list at most twenty items', async () => {
    const { owner, member } = world.people;
    await api(owner.token).patch(`/tasks/${task.id}`, { name: 'Win money at http://evil.example' });
    for (let count = 0; count < 22; count += 1) await writeComment(member, `Number ${count}`);
    await collectAt();
    const [mail] = await listEmailsTo(owner);
    expect(mail?.subject).toBe('20+ new notifications on Edgework');
    expect(mail?.text.match(/Number \d+/g)).toHaveLength(20);
    expect(mail?.text).toContain('See more in your inbox');
  });
});

describe('daily notification emails', () => {
  it('are sent once in the morning, and not if there are no new notifications', async () => {
    const { owner, member } = world.people;
    await setModes(owner, { comment_added: 'daily' });
    await writeComment(member, 'Of the day');
    await collectAt();
    expect(await listEmailsTo(owner)).toEqual([]);
    const due = await env.DIRECTORY.prepare('SELECT daily_at FROM mail_preferences').first<number>(
      'daily_at',
    );
    expect(new Date(due ?? 0).toISOString()).toMatch(/T07:00:00.000Z$/);
    const morning = (due ?? 0) + 2 * MINUTE_MS;
    await sendDailyEmails((due ?? 0) - 1);
    expect(await listEmailsTo(owner)).toEqual([]);
    await Promise.all([sendDailyEmails(morning), sendDailyEmails(morning)]);
    await sendDailyEmails(morning);
    const [mail, ...others] = await listEmailsTo(owner);
    expect([mail?.subject, others]).toEqual(['Your day on Edgework: 1 notification', []]);
    expect(mail?.text).toContain('Of the day');
    await sendDailyEmails(morning + DAY_MS);
    expect(await listEmailsTo(owner)).toHaveLength(1);
  });
});

describe('unsubscribing', () => {
  it('takes one click without signing in, and works only with the link from an email', async () => {
    const { owner, member } = world.people;
    await writeComment(member, 'Hello');
    await collectAt();
    const [mail] = await listEmailsTo(owner);
    const link = (mail?.unsubscribe ?? '').replace(parseEnv(env).publicUrl ?? '', '');
    const stranger = new TestBrowser();
    expect((await stranger.get(link)).status).toBe(200);
    expect(await env.DIRECTORY.prepare('SELECT count(*) AS n FROM mail_preferences').first('n')).toBe(0);
    const forged = await stranger.post(link.replace(owner.userId, member.userId), {});
    expect(forged.status).toBe(400);
    const click = await stranger.request(link, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(click.status).toBe(200);
    await writeComment(member, 'No mail about this');
    await collectAt(getTimeAfter(2 * COLLECTION_MS));
    expect(await listEmailsTo(owner)).toHaveLength(1);
  });
});
