import * as z from 'zod';
import { scopes } from '../../kernel/access/access.ts';
import { pageInput, pageOf } from '../../kernel/lists/pagination.ts';
import {
  asciiText,
  instant,
  integerId,
  nameList,
  plainText,
  timestamp,
} from '../../kernel/operation/schema.ts';

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
    status: z.enum(['active', 'revoked']).meta({ description: 'What has expired is `revoked` as well.' }),
    expiresAt: timestamp.optional().meta({
      description: 'Only of API keys that were made with it: the time after which they answer 401.',
    }),
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
  scopes: nameList(scopes)
    .min(1)
    .optional()
    .meta({
      description: 'What the key may do, at most. Without it, everything that you may.',
      example: ['tasks:read', 'projects:read'],
    }),
  expiresAt: instant.optional().meta({
    description: 'When the key ends by itself, in the future. Without it, the key lasts until it is revoked.',
    example: '2040-03-02T09:30:00.000Z',
  }),
});

export const revokeConnectedAppInput = z.strictObject({ id: integerId });
