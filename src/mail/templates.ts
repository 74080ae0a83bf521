import { toHarmlessName } from './harmless-name.ts';
import type { Mail } from './outbox.queries.ts';

export type { Mail } from './outbox.queries.ts';

interface VerificationMailInput {
  link: string;
  validHours: number;
}

export function buildWelcomeMail({ name, link, validHours }: VerificationMailInput & { name: string }): Mail {
  return {
    subject: 'Verify your email address for Edgework',
    text: `${buildGreeting(name)}

Your Edgework account is almost ready. Open this link, then confirm your email address on the page that opens:

${link}

The link expires in ${validHours} hours. If you didn't sign up, you can ignore this email.
`,
    html: renderMail(
      escapeHtml(buildGreeting(name)),
      'Your Edgework account is almost ready. Click the button below, then confirm your email address on the page that opens.',
      { link, label: 'Verify email address' },
      `The link expires in ${validHours} hours. If you didn't sign up, you can ignore this email.`,
    ),
  };
}

/** Omits the person's name, so that requests take the same time whether or not the account exists. */
export function buildVerificationMail({ link, validHours }: VerificationMailInput): Mail {
  return {
    subject: 'Your new Edgework verification link',
    text: `Hi,

Open this link, then confirm your email address on the page that opens:

${link}

The link expires in ${validHours} hours. If you didn't request it, you can ignore this email.
`,
    html: renderMail(
      'Hi,',
      'Click the button below, then confirm your email address on the page that opens.',
      { link, label: 'Verify email address' },
      `The link expires in ${validHours} hours. If you didn't request it, you can ignore this email.`,
    ),
  };
}

interface WebhookFailure {
  name: string;
  id: number;
  url: string;
  error: string;
  hasEnded: boolean;
}

export function buildWebhookFailureMail({ name, id, url, error, hasEnded }: WebhookFailure): Mail {
  const body = hasEnded
    ? `Your webhook ${id} to ${url} has stopped because every attempt in the last 72 hours failed (${error}).`
    : `Your webhook ${id} to ${url} has been failing for two days (${error}). It will stop in 24 hours.`;
  const note = hasEnded
    ? "No events are lost. Once your receiver works again, set the webhook's status to active within 30 days, and it will continue with the first event that wasn't delivered."
    : "We'll keep trying until then. Once your receiver works again, it will receive the missed events in order.";
  return {
    subject: hasEnded ? `Webhook ${id} has stopped` : `Webhook ${id} is failing and will stop tomorrow`,
    text: `${buildGreeting(name)}\n\n${body}\n\n${note}\n`,
    html: renderMail(escapeHtml(buildGreeting(name)), escapeHtml(body), null, note),
  };
}

export function buildWebhookScopeMail(webhook: {
  name: string;
  id: number;
  url: string;
  missing: readonly string[];
}): Mail {
  const { name, id, url, missing } = webhook;
  const scopes = `${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(' and ')}`;
  const body = `Your webhook ${id} to ${url} was paused: the API key or app that created it lacks ${scopes}.`;
  const note =
    "No events are lost. Within 30 days, set the webhook's status to active with a credential that has the scopes webhooks:write and events:read, or start it in Edgework under Settings → Webhooks. It will continue where it stopped.";
  return {
    subject: `Webhook ${id} was paused`,
    text: `${buildGreeting(name)}\n\n${body}\n\n${note}\n`,
    html: renderMail(escapeHtml(buildGreeting(name)), escapeHtml(body), null, note),
  };
}

interface LinkMailInput {
  subject: string;
  greeting: string;
  body: string;
  action: { link: string; label: string };
  note: string;
}

export function buildLinkMail({ subject, greeting, body, action, note }: LinkMailInput): Mail {
  return {
    subject,
    text: `${greeting}\n\n${body}\n\n${action.link}\n\n${note}\n`,
    html: renderMail(escapeHtml(greeting), escapeHtml(body), action, escapeHtml(note)),
  };
}

interface DigestMailInput {
  subject: string;
  greeting: string;
  items: readonly { line: string; quote: string | null; link: string }[];
  more: string | null;
  unsubscribe: string;
}

export function buildDigestMail({ subject, greeting, items, more, unsubscribe }: DigestMailInput): Mail {
  const texts = items.map(({ line, quote, link }) => `- ${line}\n${quote ? `  ${quote}\n` : ''}  ${link}`);
  const note = 'To choose which emails you get, go to Inbox → Settings in the app, or';
  const rows = items.map(
    ({ line, quote, link }) =>
      `<p><a href="${escapeHtml(link)}">${escapeHtml(line)}</a>${quote ? `<br><span style="color:#4a5563">${escapeHtml(quote)}</span>` : ''}</p>`,
  );
  return {
    subject,
    text: `${greeting}\n\n${texts.join('\n\n')}\n\n${more ? `${more}\n\n` : ''}${note} unsubscribe: ${unsubscribe}\n`,
    html: renderMail(
      escapeHtml(greeting),
      "Here's what's new:",
      null,
      `${note} <a href="${escapeHtml(unsubscribe)}">unsubscribe</a>.`,
      [...rows, ...(more ? [`<p>${escapeHtml(more)}</p>`] : [])].join('\n'),
    ),
    unsubscribe,
  };
}

/** Omits suspicious names, because anyone can register another person's address with a message as the name. */
export function buildGreeting(name: string): string {
  const shown = toHarmlessName(name);
  return shown === null ? 'Hi,' : `Hi ${shown},`;
}

function renderMail(
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

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
