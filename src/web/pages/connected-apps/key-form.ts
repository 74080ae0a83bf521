import * as z from 'zod';
import { type OAuthScope, scopes } from '../../../kernel/access/access.ts';
import { civilDate } from '../../../kernel/operation/schema.ts';
import { createApiKeyInput } from '../../../oauth/connected-apps/connected-apps.schema.ts';
import { isWriteScope } from '../../../oauth/protocol/scopes.ts';

const { name, scopes: someScopes } = createApiKeyInput.shape;

export const keyFormSchema = z
  .strictObject({
    workspace: z.string(),
    name,
    may: z.enum(['all', 'read', 'some']).default('all'),
    scopes: someScopes,
    expiresOn: civilDate.nullable().default(null),
  })
  .refine(({ may, scopes }) => may !== 'some' || scopes !== undefined, {
    path: ['scopes'],
    message: 'Select at least one scope',
  });

/** Omits the audit log, which must be granted explicitly. */
const readOnlyScopes: readonly OAuthScope[] = scopes.filter(
  (scope) => !isWriteScope(scope) && scope !== 'audit:read',
);

export function buildKeyInput({ name, may, scopes: selected, expiresOn }: z.output<typeof keyFormSchema>) {
  const granted = { all: undefined, read: [...readOnlyScopes], some: selected }[may];
  return {
    name,
    ...(granted && { scopes: granted }),
    ...(expiresOn !== null && { expiresAt: `${expiresOn}T23:59:59.999Z` }),
  };
}

export function hasReadOnlyScopes(granted: readonly string[]): boolean {
  return granted.join() === readOnlyScopes.join();
}
