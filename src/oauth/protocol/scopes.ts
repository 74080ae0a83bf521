import { type OAuthScope, scopes } from '../../kernel/access/access.ts';
import { quoteValue } from '../../kernel/errors/describe-parse-error.ts';
import { OAuthError } from './oauth-error.ts';

/** Granted if a client requests no scopes (RFC 6749 §3.3). */
const defaultScopes: readonly OAuthScope[] = ['tasks:read', 'projects:read', 'profile:read'];

export const scopeDescriptions: Readonly<Record<OAuthScope, string>> = {
  'tasks:read': 'See tasks, comments, history, files and meetings',
  'tasks:write': 'Create and change tasks, comments, files and meetings',
  'projects:read': 'See projects, people, teams, and the statuses, categories and types of tasks',
  'time:read': 'See your time entries',
  'time:write': 'Start and stop your timer, and log and edit time entries',
  'dashboard:read': "See your dashboard and your team's workload",
  'notifications:read': 'See your notifications from all your workspaces',
  'notifications:write': 'Mark notifications from all your workspaces as read, and delete them',
  'profile:read': 'See your name, email address, role and workspace',
  'events:read': 'Follow every change you can see, including names and values',
  'webhooks:write': "Send every change you can see to the app's own URLs until you revoke access",
  'audit:read': "Read the audit log, including everyone's sign-ins and IP addresses (owners and admins only)",
};

export function isWriteScope(scope: OAuthScope): boolean {
  return scope.endsWith(':write');
}

export function parseRequestedScopes(text: string | null): readonly OAuthScope[] {
  if (text === null) return defaultScopes;
  const names = text.split(' ').filter((name) => name !== '');
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined || names.length === 0) {
    throw new OAuthError(
      'invalid_scope',
      `${quoteValue(unknown ?? text)} is not a known scope. Separate scopes with spaces; choose from: ${scopes.join(' ')}`,
    );
  }
  return scopes.filter((scope) => names.includes(scope));
}

function isScope(name: string): name is OAuthScope {
  return (scopes as readonly string[]).includes(name);
}
