import type { AuditEntry } from '../../../audit/audit.schema.ts';

const credentialNames = {
  browser: 'Browser',
  session_token: 'Session token',
  api_key: 'API key',
  oauth: 'App',
  service: 'Edgework',
} as const;

/** Returns text such as "API key Nightly report". */
export function describeCredential({ kind, name }: AuditEntry['credential']): string {
  return name === null ? credentialNames[kind] : `${credentialNames[kind]} ${name}`;
}

/** Returns text such as "from: member, to: admin". */
export function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}
