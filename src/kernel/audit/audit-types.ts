export const auditTypes = {
  'sign_in.succeeded': 'Signed in',
  'sign_in.failed': 'Failed to sign in',
  'session.ended': 'Signed out',
  'password.changed': 'Changed their password',
  'email.changed': 'Changed their email address',
  'api_key.created': 'Created an API key',
  'api_key.revoked': 'Revoked an API key',
  'app.authorized': 'Authorized an app',
  'app.disconnected': 'Disconnected an app',
  'calendar_link.created': 'Created a calendar link',
  'calendar_link.deleted': 'Deleted a calendar link',
  'access.revoked': 'Access was revoked by the operator',
  'invitation.sent': 'Invited a person',
  'invitation.resent': 'Resent an invitation',
  'invitation.withdrawn': 'Withdrew an invitation',
  'member.joined': 'Joined the workspace',
  'member.role_changed': 'Changed a role',
  'member.removed': 'Removed a person',
  'member.left': 'Left the workspace',
  'bot.created': 'Created a bot',
  'bot.updated': 'Changed a bot',
  'workspace.transferred': 'Transferred the workspace',
  'workspace.updated': 'Changed the workspace settings',
  'workspace.deleted': 'Deleted the workspace',
  'project.member_added': 'Added a person to a project',
  'project.member_removed': 'Removed a person from a project',
  'project.transferred': 'Transferred a project',
  'project.deleted': 'Deleted a project',
  'public_link.created': 'Created a public link',
  'public_link.updated': 'Changed a public link',
  'public_link.revoked': 'Revoked a public link',
  'intake_form.created': 'Turned on an intake form',
  'intake_form.updated': 'Changed an intake form',
  'intake_form.deleted': 'Turned off an intake form',
  'file.deleted': 'Deleted a file',
  'file.restored': 'Restored a file',
  'webhook.created': 'Created a webhook',
  'webhook.updated': 'Changed a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.secret_rotated': 'Replaced a webhook secret',
  'export.downloaded': 'Downloaded a CSV file',
  'workspace_export.started': 'Started an export',
  'workspace_export.downloaded': 'Downloaded an export',
  'workspace_export.deleted': 'Deleted an export',
} as const satisfies Record<string, string>;
export type AuditType = keyof typeof auditTypes;

export const auditTypeNames = Object.keys(auditTypes) as [AuditType, ...AuditType[]];

export const auditCredentialKinds = ['browser', 'session_token', 'api_key', 'oauth', 'service'] as const;
export type AuditCredentialKind = (typeof auditCredentialKinds)[number];

export type AuditDetails = Readonly<Record<string, string | number | boolean | null>>;

export function serializeAuditDetails(details: AuditDetails): string {
  const entries = Object.entries(details).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)] as const],
  );
  return JSON.stringify(Object.fromEntries(entries));
}
