import * as z from 'zod';
import { type OAuthScope, scopes } from '../../../kernel/access/access.ts';
import { civilDate } from '../../../kernel/operation/schema.ts';
import { createApiKeyInput } from '../../../oauth/connected-apps/connected-apps.schema.ts';
import { isWriteScope } from '../../../oauth/protocol/scopes.ts';

const { name, scopes: someScopes } = createApiKeyInput.shape;

/** What the form of a new key asks: how much it may do in three steps, and a day instead of a time. */
export const keyForm = z
  .strictObject({
    workspace: z.string(),
    name,
    may: z.enum(['all', 'read', 'some']).default('all'),
    scopes: someScopes,
    expiresOn: civilDate.nullable().default(null),
  })
  .refine(({ may, scopes }) => may !== 'some' || scopes !== undefined, {
    path: ['scopes'],
    message: 'Tick at least one',
  });

const readScopes: readonly OAuthScope[] = scopes.filter((scope) => !isWriteScope(scope));

/** The input of the operation. A key ends with its last day, on the clock of UTC. */
export function toKeyInput({ name, may, scopes: ticked, expiresOn }: z.output<typeof keyForm>) {
  const chosen = { all: undefined, read: [...readScopes], some: ticked }[may];
  return {
    name,
    ...(chosen && { scopes: chosen }),
    ...(expiresOn !== null && { expiresAt: `${expiresOn}T23:59:59.999Z` }),
  };
}

/** Whether somebody chose just what the form calls "only read". */
export function isReadOnly(granted: readonly string[]): boolean {
  return granted.join() === readScopes.join();
}
