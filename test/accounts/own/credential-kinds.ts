// This file is long because it lists every stored secret, every kind of credential and every file that creates one.

/** The names of the checks in `access-checks.ts`, or the reason why there are none. */
type Coverage = readonly string[] | string;

const SESSION_TOKENS = 'session tokens have their own test in password-change.test.ts';
const REFERS_TO_CREDENTIAL = 'refers to a credential, and grants nothing itself';
const OBJECT_NAME = 'names an R2 object, which only the worker can read';

/** Columns of the directory and cell databases whose names suggest a secret. */
export const secretColumns: Readonly<Record<string, Coverage>> = {
  'users.password_hash': ['password'],
  'users.password_changed_at': 'a time',
  'email_verifications.token_hash': ['verification link'],
  'account_links.token_hash': ['link for another address', 'link for a new password'],
  'browser_sessions.id_hash': ['another browser', 'socket of another browser'],
  'ended_sessions.id_hash': 'lists sessions that have ended',
  'push_subscriptions.session_hash':
    'a trigger deletes the subscription with its session: test/notifications/push',
  'workspace_sessions.id_hash': ['another browser', 'socket of another browser'],
  'oauth_requests.id_hash': ['OAuth request of another browser'],
  'oauth_requests.session_hash': ['OAuth request of another browser'],
  'oauth_codes.code_hash': ['OAuth code'],
  'oauth_codes.token_hash': 'records which token the code was exchanged for',
  'credentials.hash': [
    'API key',
    'API key in another cell',
    'OAuth token',
    'OAuth token in another cell',
    'bot key',
  ],
  'credentials.prefix': 'the first characters of a key, for display',
  'calendar_feeds.hash': ['calendar link'],
  'calendar_feeds.nonce': ['calendar link'],
  'public_links.hash': ['public link'],
  'public_links.nonce': ['public link'],
  'intake_forms.hash': ['intake form'],
  'intake_forms.nonce': ['intake form'],
  'invitations.token_hash': ['invitation from the person'],
  'webhooks.secret':
    'lets a receiver check messages. Whether they are still sent is checked by "webhook of a session"',
  'webhooks.previous_secret': 'the same as the secret',
  'webhooks.older_secrets': 'the same as the secret',
  'webhooks.credential': ['webhook of a key'],
  'events.credential': REFERS_TO_CREDENTIAL,
  'imports.credential': REFERS_TO_CREDENTIAL,
  'audit_entries.credential_kind': REFERS_TO_CREDENTIAL,
  'audit_entries.credential_name': REFERS_TO_CREDENTIAL,
  'account_acts.credential_kind': REFERS_TO_CREDENTIAL,
  'members.sessions_from': 'a time before which session tokens are invalid',
  'active_members.sessions_from': 'a time before which session tokens are invalid',
  'uploads.session': "an id that is useless without a credential of the session's owner: test/files/uploads",
  'uploads.s3_key': ['presigned upload URL'],
  'attachments.s3_key':
    'the name of the upload, which its presigned URL can no longer change: test/files/attachments',
  'attachments.object_key': ['signed download URL'],
  'imports.object_key': OBJECT_NAME,
  'exports.object_key': ['signed download URL'],
  'objects_to_delete.object_key': OBJECT_NAME,
};

/** The values of every column that distinguishes kinds of credentials or links. */
export const credentialKinds: Readonly<Record<string, Coverage>> = {
  'account_links.purpose email': ['link for another address'],
  'account_links.purpose password': ['link for a new password'],
  'audit_entries.credential_kind api_key': ['API key', 'bot key'],
  'audit_entries.credential_kind browser': ['another browser'],
  'audit_entries.credential_kind oauth': ['OAuth token'],
  'audit_entries.credential_kind service': "the operator's scripts, which use no person's credential",
  'audit_entries.credential_kind session_token': SESSION_TOKENS,
  'credentials.kind api_key': ['API key', 'bot key'],
  'credentials.kind oauth': ['OAuth token'],
};

const SESSION_ID = "valid only with the browser session whose id it contains: 'another browser'";
const NAMES_APP = 'the public id of an app';
const IS_CURSOR = 'seals a cursor, which is only read together with a credential';

/** Files in `src` that create a random secret or a signature. */
export const secretSources: Readonly<Record<string, Coverage>> = {
  'accounts/browser-sessions/browser-session.ts': ['another browser'],
  'accounts/browser-sessions/location-cookie.ts': SESSION_ID,
  'accounts/browser-sessions/signed-cookie.ts':
    'signs the cookies of a sign-in with GitHub or Google, and of a sign-up, which need another secret to be used',
  'accounts/credentials/session-token.ts': SESSION_TOKENS,
  'accounts/own/change-profile.ts': ['link for another address'],
  'accounts/own/password-reset.ts': ['link for a new password'],
  'accounts/own/picture.ts': 'the public id of a picture',
  'accounts/sessions/session.ts': SESSION_TOKENS,
  'accounts/sign-up/verification-link.ts': ['verification link'],
  'accounts/social/social-sign-in.ts':
    "protects a sign-in with GitHub or Google, which doesn't use the password",
  'files/attachments/download-url.ts': ['signed download URL'],
  'files/attachments/storage.ts': OBJECT_NAME,
  'files/objects/s3.ts': ['presigned upload URL'],
  'files/objects/signed-url.ts': ['presigned upload URL', 'signed download URL'],
  'files/uploads/uploads.ts':
    "creates the id of an upload session, which is useless without its owner's credential",
  'kernel/http/http.ts': IS_CURSOR,
  'mcp/call-tool.ts': IS_CURSOR,
  'meetings/calendar-feed/calendar-feed.ts': ['calendar link'],
  'notifications/mail/compose-mail.ts': 'creates unsubscribe links, which only turn off emails',
  'oauth/clients/register-client.ts': NAMES_APP,
  'oauth/connected-apps/connected-apps.ts': ['API key', 'API key in another cell', 'bot key'],
  'oauth/consent/authorize.tsx': ['OAuth request of another browser'],
  'oauth/consent/handle-decision.tsx': ['OAuth code'],
  'oauth/own-apps/own-apps.ts': NAMES_APP,
  'oauth/tokens/exchange-code.ts': ['OAuth token', 'OAuth token in another cell'],
  'sharing/intake/intake-forms.ts': ['intake form'],
  'sharing/public-links/public-links.ts': ['public link'],
  'web/components/add-form-keys.ts': 'creates idempotency keys of forms',
  'web/pages/operator/operator-session.ts':
    "signs the operator's cookie, which no person's password protects",
  'webhooks/secrets/signature.ts': 'signs messages to receivers',
  'workspaces/invitations/invitation-link.ts': ['invitation from the person'],
};
