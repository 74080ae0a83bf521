import * as z from 'zod';
import { scopes } from '../../kernel/access/access.ts';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import {
  buildAsciiTextSchema,
  buildNameListSchema,
  buildPlainTextSchema,
  instantInput,
  integerId,
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
    prefix: buildPlainTextSchema(50).meta({
      description: 'The first and last characters of the key, to identify it.',
    }),
    scopes: z.array(buildAsciiTextSchema(50)).max(50),
    createdAt: timestamp,
    lastUsedAt: timestamp
      .nullable()
      .meta({ description: 'When the credential was last used, accurate to the hour.' }),
    status: z
      .enum(['active', 'revoked'])
      .meta({ description: 'Expired credentials also have the status `revoked`.' }),
    expiresAt: timestamp.optional().meta({
      description: 'When the API key expires. Absent if it has no expiry.',
    }),
  })
  .meta({ id: 'ConnectedApp', example });

export const connectedAppPage = buildPageSchema(connectedApp).meta({ id: 'ConnectedAppPage' });

export const createdApiKey = connectedApp
  .extend({
    key: buildAsciiTextSchema(100).meta({
      description: 'The API key. It is returned only once and stored as a hash.',
    }),
  })
  .meta({ id: 'CreatedApiKey', example: { ...example, key: 'ew_live_00…x4Tq' } });

export const listConnectedAppsInput = z.strictObject(pageInput);

export const createApiKeyInput = z.strictObject({
  name: z
    .string()
    .min(1)
    .max(100)
    .refine((name) => name.trim() !== '', 'must not be blank')
    .meta({ description: 'The name of the system that uses the key.', example: 'Nightly report' }),
  scopes: buildNameListSchema(scopes)
    .min(1)
    .optional()
    .meta({
      description: 'Scopes granted to the key. Defaults to all scopes.',
      example: ['tasks:read', 'projects:read'],
    }),
  expiresAt: instantInput.optional().meta({
    description:
      'When the key expires; must be in the future. Leave it out for a key that lasts until it is revoked.',
    example: '2040-03-02T09:30:00.000Z',
  }),
});

export const revokeConnectedAppInput = z.strictObject({ id: integerId });
