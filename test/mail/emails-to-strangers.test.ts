import { describe, expect, it } from 'vitest';
import { requestEmailChange } from '../../src/accounts/own/change-profile.ts';
import { toHarmlessName } from '../../src/mail/harmless-name.ts';
import { invitePeople } from '../../src/workspaces/invitations/invite.ts';
import { runForAccount, signIn } from '../support/accounts.ts';
import { api } from '../support/api.ts';
import { env, getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createEmailAddress, createIpAddress, PASSWORD, setPassword } from '../support/people.ts';
import { createWorkspace } from '../support/world.ts';

const messages = [
  'Call 0900 123 456',
  'Ring 0900 now',
  'Call +4 now',
  'Call ٠٩٠٠١٢٣٤٥٦',
  'Call ０９００１２３',
  'Call ①②③④⑤',
  'evil.example',
  'evil．example',
  'evil。example',
  'https://evil.example',
  'Write to me@evil',
  'ｍｅ＠evil',
  'www evil example',
  'C:\\run',
  'Mara\u202eTest',
  'Mara\u2066Test',
  'Zero\u200bwidth',
  'Soft\u00adhyphen',
  `Z${'\u0301'.repeat(8)}`,
];
const names = [
  'Mara Lindqvist',
  'Northwind Studio 2026',
  'Studio 54',
  'Dr. Okafor',
  'Müller & Söhne',
  '株式会社あおぞら',
  'ジョン・スミス',
  'Nguyễn Thị Hồng',
  'نرم\u200cافزار',
  'Team 👩‍💻',
];
const neutralSubjects = [
  "You've been invited to a workspace on Edgework",
  'Verify your email address for Edgework',
  'Confirm your new email address for Edgework',
];
const listEmailsTo = (email: string) =>
  env.DIRECTORY.prepare('SELECT subject, text, html FROM outbox WHERE recipient = ? ORDER BY id DESC')
    .bind(email)
    .first<{ subject: string; text: string; html: string }>();

/** Each function sends an email to an address. The person and the workspace in the email have the given name. */
const emailSenders: Readonly<Record<string, (email: string, name: string) => Promise<number>>> = {
  'an invitation': async (email, name) => {
    const { people, no, cell } = await createWorkspace({ name, members: { boss: 'owner' } });
    await getCell(cell).prepare('UPDATE members SET name = ? WHERE ws = ?').bind(name, no).run();
    return (await runForm(people.boss.token, invitePeople, { email, role: 'member' })).status;
  },
  'a verification email': async (email, name) =>
    (
      await api().post(
        '/auth/register',
        { email, password: PASSWORD, name },
        { 'CF-Connecting-IP': createIpAddress() },
      )
    ).status,
  'an email that confirms a new address': async (email, name) => {
    const { userId } = (await createWorkspace()).people.member;
    await setPassword(userId);
    await env.DIRECTORY.prepare('UPDATE users SET name = ? WHERE id = ?').bind(name, userId).run();
    const browser = await signIn(userId);
    return (await runForAccount(browser, requestEmailChange, { email, password: PASSWORD })).status;
  },
};

describe.each(Object.entries(emailSenders))('%s', (_kind, sendTo) => {
  it('contains no name that looks like a link, a phone number or a message, not even in its subject', async () => {
    // To save time, this test sends only every sixth name. The tests of `toHarmlessName` below cover all names.
    for (const name of messages.filter((_, index) => index % 6 === 0)) {
      const address = createEmailAddress();
      expect(await sendTo(address, name)).toBeLessThan(300);
      const { subject = '', text = '', html = '' } = (await listEmailsTo(address)) ?? {};
      expect([name, neutralSubjects.includes(subject)]).toEqual([name, true]);
      const shown = [subject, text, html].filter(
        (each) => each.includes(name) || each.includes(name.slice(0, 12)),
      );
      expect([name, shown]).toEqual([name, []]);
    }
  });

  it('shortens a long name', async () => {
    const email = createEmailAddress();
    const name = `Your account was hacked so please answer now ${'x'.repeat(40)}`;
    expect(await sendTo(email, name)).toBeLessThan(300);
    const { text = '' } = (await listEmailsTo(email)) ?? {};
    expect(text).toContain('Your account was hacked so please answer…');
    expect(text).not.toContain('answer now');
  });
});

describe('a name in an email', () => {
  it.each(messages)('is omitted if it is %j', (name) => {
    expect(toHarmlessName(name)).toBeNull();
  });

  it.each(names)('is shown unchanged if it is %s', (name) => {
    expect(toHarmlessName(name)).toBe(name);
  });

  it('is shown in an invitation, for both the inviter and the workspace', async () => {
    const email = createEmailAddress();
    await emailSenders['an invitation']?.(email, 'Northwind Studio');
    expect((await listEmailsTo(email))?.text).toContain(
      'Northwind Studio invited you to the workspace “Northwind Studio” on Edgework.',
    );
  });

  it('is shortened in the subject of an invitation if it is long', async () => {
    const email = createEmailAddress();
    await emailSenders['an invitation']?.(email, 'Northwind Studio');
    expect((await listEmailsTo(email))?.subject).toBe('Northwind Studio invited you to Northwind Studio');
    const long = createEmailAddress();
    await emailSenders['an invitation']?.(long, 'Word '.repeat(12).trim());
    expect((await listEmailsTo(long))?.subject).toMatch(/^.{1,40}… invited you to .{1,40}…$/u);
  });

  it.each([
    ['Call 0900 123 456', 'Northwind Studio'],
    ['Mara Lindqvist', 'evil.example'],
  ])(
    'is omitted from the subject if the inviter is %s and the workspace is %s',
    async (person, workspace) => {
      const email = createEmailAddress();
      const { people, no, cell } = await createWorkspace({ name: workspace, members: { boss: 'owner' } });
      await getCell(cell).prepare('UPDATE members SET name = ? WHERE ws = ?').bind(person, no).run();
      await runForm(people.boss.token, invitePeople, { email, role: 'member' });
      expect((await listEmailsTo(email))?.subject).toBe(neutralSubjects[0]);
    },
  );

  it("is replaced with a neutral sentence if it can't be shown", async () => {
    const email = createEmailAddress();
    await emailSenders['an invitation']?.(email, 'Call 0900 123 456');
    expect((await listEmailsTo(email))?.text).toContain(
      'Someone invited you to their workspace on Edgework.',
    );
  });
});
