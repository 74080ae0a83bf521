import type { AuditEntry } from '../../../audit/audit.schema.ts';

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
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
