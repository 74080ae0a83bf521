import { createToken, hashSecret } from '../../kernel/secrets/tokens.ts';
import { toHarmlessName } from '../../mail/harmless-name.ts';
import { queueMailTo, selectEmail } from '../../mail/outbox.queries.ts';
import { buildLinkMail } from '../../mail/templates.ts';

const INVITATION_DAYS = 7;
const INVITATION_MS = INVITATION_DAYS * 24 * 60 * 60_000;
export const INVITATION_PREFIX = 'ew_inv_';

export interface InvitationLink {
  readonly token: string;
  readonly tokenHash: string;
  readonly expiresAt: number;
}

export function createInvitationLink(cell: number, now: number): InvitationLink {
  const token = createToken(INVITATION_PREFIX, cell);
  return { token, tokenHash: hashSecret(token), expiresAt: now + INVITATION_MS };
}

export interface InvitationMail {
  readonly email: string;
  readonly workspaceName: string;
  readonly invitedBy: string;
  readonly inviterId: string;
}

/** Omits names that could be read as a message, because the email goes to strangers. */
export function queueInvitationMail(origin: string, token: string, invited: InvitationMail, now: number) {
  const inviter = toHarmlessName(invited.invitedBy);
  const who = inviter ?? 'Someone';
  const workspace = toHarmlessName(invited.workspaceName);
  const where = workspace === null ? 'their workspace' : `the workspace “${workspace}”`;
  return queueMailTo(
    selectEmail(invited.email),
    buildLinkMail({
      subject:
        inviter === null || workspace === null
          ? "You've been invited to a workspace on Edgework"
          : `${inviter} invited you to ${workspace}`,
      greeting: 'Hi,',
      body: `${who} invited you to ${where} on Edgework. Open this link to join:`,
      action: { link: `${origin}/invitation?token=${token}`, label: 'Join' },
      note: `The link works for this email address only and expires in ${INVITATION_DAYS} days. If you don't know the sender, you can ignore this email.`,
    }),
    now,
    invited.inviterId,
  );
}
