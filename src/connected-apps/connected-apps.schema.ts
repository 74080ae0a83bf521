import * as z from 'zod';
import { pageInput, pageOf } from '../kernel/pagination.ts';
import { asciiText, integerId, plainText, timestamp } from '../kernel/schema.ts';

const example = {
  id: 12,
  kind: 'api_key' as const,
  name: 'Nightly report',
  prefix: 'ew_live_…x4Tq',
  scopes: ['tasks:read', 'tasks:write'],
  createdAt: '2026-03-02T09:30:00.000Z',
  lastUsedAt: null,
  status: 'active' as const,
};

export const connectedApp = z
  .object({
    id: integerId,
    kind: z.enum(['api_key', 'oauth']),
    name: z.string().max(100),
    prefix: plainText(50).meta({ description: 'Beginning and end of the secret, to recognise it by.' }),
    scopes: z.array(asciiText(50)).max(50),
    createdAt: timestamp,
    lastUsedAt: timestamp.nullable().meta({ description: 'Exact to the hour.' }),
    status: z.enum(['active', 'revoked']),
  })
  .meta({ id: 'ConnectedApp', example });

export const connectedAppPage = pageOf(connectedApp).meta({ id: 'ConnectedAppPage' });

export const createdApiKey = connectedApp
  .extend({
    key: asciiText(100).meta({ description: 'The API key. It is shown this once and stored hashed.' }),
  })
  .meta({ id: 'CreatedApiKey', example: { ...example, key: 'ew_live_00…x4Tq' } });

export const listConnectedAppsInput = z.strictObject(pageInput);

export const createApiKeyInput = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => name.trim() !== '', 'must not be blank')
    .meta({ description: 'The system that will use the key.', example: 'Nightly report' }),
});

export const revokeConnectedAppInput = z.strictObject({ id: integerId });
