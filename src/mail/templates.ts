import { harmlessName } from './harmless-name.ts';
import type { Mail } from './outbox.queries.ts';

export type { Mail } from './outbox.queries.ts';

interface Verification {
  link: string;
  validHours: number;
}

/** The first mail of a new account. */
export function welcomeMail({ name, link, validHours }: Verification & { name: string }): Mail {
  return {
    subject: 'Welcome to Edgework: verify your email address',
    text: `${greeting(name)}

your Edgework account is nearly ready. Open this link and press the button to verify your address:

${link}

The link is valid for ${validHours} hours. If you did not register, ignore this mail; nothing will happen.
`,
    html: letter(
      escapeHtml(greeting(name)),
      'your Edgework account is nearly ready. Open the link and press the button to verify your address.',
      { link, label: 'Verify my address' },
      `The link is valid for ${validHours} hours. If you did not register, ignore this mail; nothing will happen.`,
    ),
  };
}

/** The mail with a new link. It contains no name, so a request costs the same whether or not the account exists. */
export function verificationMail({ link, validHours }: Verification): Mail {
  return {
    subject: 'Your new Edgework verification link',
    text: `Hello,

here is a new link to verify your address. Open it and press the button:

${link}

The link is valid for ${validHours} hours. If you did not ask for it, ignore this mail.
`,
    html: letter(
      'Hello,',
      'here is a new link to verify your address. Open it and press the button.',
      { link, label: 'Verify my address' },
      `The link is valid for ${validHours} hours. If you did not ask for it, ignore this mail.`,
    ),
  };
}

interface WebhookTrouble {
  name: string;
  id: number;
  url: string;
  error: string;
  /** Whether it stopped; else it stops a day later. */
  hasEnded: boolean;
}

/** Tells whoever made a webhook that its receiver has been failing for days. */
export function webhookMail({ name, id, url, error, hasEnded }: WebhookTrouble): Mail {
  const body = hasEnded
    ? `your webhook ${id}, which sends to ${url}, has stopped: every attempt of the last 72 hours failed (${error}).`
    : `your webhook ${id}, which sends to ${url}, has failed for two days (${error}). In 24 hours it will stop.`;
  const note = hasEnded
    ? 'Nothing is lost: once the receiver is back, set the status of the webhook to active within 30 days, and it goes on with the first event that the receiver has not got.'
    : 'Attempts go on until then. What could not be sent comes in order once the receiver is back.';
  return {
    subject: hasEnded ? `Edgework: webhook ${id} has stopped` : `Edgework: webhook ${id} will stop tomorrow`,
    text: `${greeting(name)}\n\n${body}\n\n${note}\n`,
    html: letter(escapeHtml(greeting(name)), escapeHtml(body), null, note),
  };
}

/** Sent when a webhook was paused because its credential lacks scopes. */
export function webhookScopeMail(webhook: {
  name: string;
  id: number;
  url: string;
  missing: readonly string[];
}): Mail {
  const { name, id, url, missing } = webhook;
  const scopes = `${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(' and ')}`;
  const body = `Your webhook ${id}, which sends to ${url}, was paused: the API key or app that created it lacks ${scopes}.`;
  const note =
    'Nothing is lost. Within 30 days, set the status of the webhook to active with a credential that has both scopes, or start it in Edgework under Settings, Webhooks. It continues where it was.';
  return {
    subject: `Edgework: webhook ${id} was paused`,
    text: `${greeting(name)}\n\n${body}\n\n${note}\n`,
    html: letter(escapeHtml(greeting(name)), escapeHtml(body), null, note),
  };
}

interface LinkMail {
  subject: string;
  greeting: string;
  /** One sentence, which ends where the link follows. */
  body: string;
  action: { link: string; label: string };
  note: string;
}

/** A mail around one link, as text and as HTML. */
export function linkMail({ subject, greeting, body, action, note }: LinkMail): Mail {
  return {
    subject,
    text: `${greeting}\n\n${body}\n\n${action.link}\n\n${note}\n`,
    html: letter(escapeHtml(greeting), escapeHtml(body), action, escapeHtml(note)),
  };
}

interface DigestMail {
  subject: string;
  greeting: string;
  items: readonly { line: string; quote: string | null; link: string }[];
  more: string | null;
  unsubscribe: string;
}

/** Several things that happened, each with its link. */
export function digestMail({ subject, greeting, items, more, unsubscribe }: DigestMail): Mail {
  const texts = items.map(({ line, quote, link }) => `- ${line}\n${quote ? `  ${quote}\n` : ''}  ${link}`);
  const note = 'You choose what comes by mail in your inbox, under Mail. To end these mails:';
  const rows = items.map(
    ({ line, quote, link }) =>
      `<p><a href="${escapeHtml(link)}">${escapeHtml(line)}</a>${quote ? `<br><span style="color:#4a5563">${escapeHtml(quote)}</span>` : ''}</p>`,
  );
  return {
    subject,
    text: `${greeting}\n\n${texts.join('\n\n')}\n\n${more ? `${more}\n\n` : ''}${note} ${unsubscribe}\n`,
    html: letter(
      escapeHtml(greeting),
      'this is new:',
      null,
      `${note} <a href="${escapeHtml(unsubscribe)}">unsubscribe</a>`,
      [...rows, ...(more ? [`<p>${escapeHtml(more)}</p>`] : [])].join('\n'),
    ),
    unsubscribe,
  };
}

/** Somebody who registers a stranger's address must not smuggle a message into the mail through the name. */
export function greeting(name: string): string {
  const shown = harmlessName(name);
  return shown === null ? 'Hello,' : `Hello ${shown},`;
}

function letter(
  greeting: string,
  body: string,
  action: { link: string; label: string } | null,
  note: string,
  content = '',
): string {
  const link = action && escapeHtml(action.link);
  const button = action
    ? `<p><a href="${link}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b5d57;color:#fff">${action.label}</a></p>
<p style="font-size:14px;color:#4a5563">${link}</p>
`
    : '';
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Edgework</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;line-height:1.5;color:#17202b;background:#f5f6f8">
<div style="max-width:32rem;margin:0 auto;padding:24px;background:#fff;border-radius:8px">
<p>${greeting}</p>
<p>${body}</p>
${content}${button}<p style="font-size:14px;color:#4a5563">${note}</p>
</div></body></html>
`;
}

/** Escapes text that a person chose; names may contain anything. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
