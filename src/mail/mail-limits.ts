import type { ClaimedMail } from './outbox.queries.ts';

const SUBJECT_CHARACTERS_MAX = 998;
const MAIL_BYTES_MAX = 5 * 1024 * 1024;

export function describeUnsendableMail(mail: ClaimedMail): string | null {
  if (mail.subject.length > SUBJECT_CHARACTERS_MAX)
    return `the subject is longer than ${SUBJECT_CHARACTERS_MAX} characters`;
  if (/[\r\n]/.test(mail.subject)) return 'the subject contains a line break';
  if (!/^[^\s,;<>@]+@[^\s,;<>@]+$/.test(mail.recipient)) return 'the recipient is not a single email address';
  const bytes = new TextEncoder().encode(mail.subject + mail.text + mail.html).length;
  if (bytes > MAIL_BYTES_MAX) return `the email is larger than ${MAIL_BYTES_MAX} bytes`;
  return null;
}
