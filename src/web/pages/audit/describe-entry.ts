import type { AuditEntry } from '../../../audit/audit.schema.ts';
import { formatCount } from '../../../kernel/text/number-format.ts';
import { formatDate } from '../../components/format-date.ts';
import { roleLabels } from '../people/roles.ts';

const credentialNames = {
  browser: 'Browser',
  session_token: 'Session token',
  api_key: 'API key',
  oauth: 'App',
  service: 'Edgework',
} as const;

export function describeCredential({ kind, name }: AuditEntry['credential']): string {
  return name === null ? credentialNames[kind] : `${credentialNames[kind]} ${name}`;
}

export function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => detailDescriptions[name]?.(value, details) ?? `${name}: ${value}`)
    .filter((text) => text !== '')
    .join(', ');
}

const changedFieldNames: Readonly<Record<string, string>> = {
  batch: 'batching',
  dailyCapacityHours: 'working hours',
  projectId: 'project',
  timezone: 'time zone',
  types: 'events',
  url: 'URL',
};

const revokedAccessNames: Readonly<Record<string, string>> = {
  api_key: 'API key',
  oauth: 'app',
  sessions: 'all access',
};

const labelRole = (role: string) => roleLabels[role] ?? role;

/** Keyed by the name of the detail. An empty string leaves out a detail that the rest of the entry already contains. */
const detailDescriptions: Readonly<
  Record<string, (value: string, details: AuditEntry['details']) => string>
> = {
  role: labelRole,
  from: (role, { to }) => (to === undefined ? `was ${labelRole(role)}` : `from ${labelRole(role)}`),
  to: (role) => `to ${labelRole(role)}`,
  reason: (reason) => reason,
  scopes: (scopes) => (scopes === 'all' ? 'full access' : `access to ${scopes}`),
  expires: (at) => `expires ${formatDate(at.slice(0, 10), 'shortWithYear')}`,
  fields: (names, { status }) => {
    const changed = names.split(', ').filter((name) => name !== 'status' || status === undefined);
    return changed.length === 0
      ? ''
      : `changed ${changed.map((name) => changedFieldNames[name] ?? name).join(', ')}`;
  },
  status: (status) => `status changed to ${status}`,
  name: (name) => `renamed to ${name}`,
  accountable: () => 'changed the accountable person',
  method: (method) => (method === 'reset' ? 'with a reset link' : ''),
  endedAccess: (isEnded) => (isEnded === 'true' ? 'revoked keys, apps, webhooks and calendar links' : ''),
  sessions: (count) => formatCount(Number(count), 'session'),
  kind: (kind) => revokedAccessNames[kind] ?? kind,
  target: (target) => (target === 'project' ? 'to a project' : 'to a saved filter'),
  names: (isShown) => (isShown === 'true' ? "shows people's names" : ''),
  task: (id) => `task #${id}`,
  project: (id) => `project #${id}`,
};
