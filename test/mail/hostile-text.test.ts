import { describe, expect, it } from 'vitest';
import { toHarmlessName } from '../../src/mail/harmless-name.ts';
import {
  buildDigestMail,
  buildGreeting,
  buildWebhookFailureMail,
  buildWelcomeMail,
  type Mail,
} from '../../src/mail/templates.ts';
import { queueInvitationMail } from '../../src/workspaces/invitations/invitation-link.ts';
import { lineBreaks, textsForAgents, textsForPages } from '../support/hostile-texts.ts';
import { buildSkeleton, expectSameStructure } from '../web/server/hostile-pages.ts';

const link = 'https://edgework.test/x';
const texts = [
  ...textsForPages,
  ...textsForAgents,
  ...lineBreaks.map((each) => `Mara${each}Subject: You have won`),
];

const buildInvitation = (text: string): Mail => {
  const invited = { email: 'x@example.com', workspaceName: text, invitedBy: text, inviterId: 'usr_x' };
  const { params } = queueInvitationMail('https://edgework.test', 'token', invited, 0);
  const [subject = '', plain = '', html = ''] = params.map(String).filter((each) => / /.test(each));
  return { subject, text: plain, html };
};

const emails: Readonly<Record<string, (text: string) => Mail>> = {
  welcome: (name) => buildWelcomeMail({ name, link, validHours: 1 }),
  invitation: buildInvitation,
  webhook: (text) =>
    buildWebhookFailureMail({ name: text, id: 1, url: link, error: 'timeout', hasEnded: true }),
  digest: (text) =>
    buildDigestMail({
      subject: '1 new notification on Edgework',
      greeting: buildGreeting(text),
      items: [{ line: text, quote: text, link }],
      more: null,
      unsubscribe: link,
    }),
};

describe('an email', () => {
  it.each(Object.entries(emails))(
    'of type %s escapes hostile text, and shows only harmless names in its subject',
    (kind, make) => {
      const skeleton = buildSkeleton(make('Mara').html);
      const { subject } = make('Mara\n');
      expect(subject).not.toContain('Mara');
      for (const text of texts) {
        const mail = make(text);
        const name = kind === 'invitation' ? toHarmlessName(text) : null;
        expect(mail.subject).toBe(name === null ? subject : `${name} invited you to ${name}`);
        for (const each of lineBreaks) expect(mail.subject).not.toContain(each);
        expectSameStructure(mail.html, skeleton, JSON.stringify(text));
      }
    },
  );

  it("omits names with line breaks, '/', ':', '@' or bidirectional controls from greetings", () => {
    for (const each of [...lineBreaks, '/', ':', '@', '\u202e', '\u2066'])
      expect([each, buildGreeting(`Mara${each}Test`)]).toEqual([each, 'Hi,']);
    expect(buildGreeting('Mara Test 👩‍👩‍👧')).toBe('Hi Mara Test 👩‍👩‍👧,');
  });
});
