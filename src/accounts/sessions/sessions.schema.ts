import * as z from 'zod';
import { roles } from '../../kernel/access/roles.ts';
import { examplePerson } from '../../kernel/operation/examples.ts';
import { buildAsciiTextSchema, timestamp } from '../../kernel/operation/schema.ts';
import {
  emailText,
  imageUrl,
  personId,
  personName,
  workspaceId,
  workspaceName,
} from '../../tasks/summaries/summaries.schema.ts';

const accountExample = {
  ...examplePerson,
  image: null,
  role: 'owner' as const,
  workspace: { id: 'ws_8Qm2vK', name: 'Northwind Studio', plan: 'pro' as const },
};

export const me = z
  .object({
    id: personId,
    email: emailText,
    name: personName,
    image: imageUrl.nullable(),
    role: z.enum(roles).meta({ description: "Your role in the credential's workspace." }),
    workspace: z.object({ id: workspaceId, name: workspaceName, plan: z.enum(['free', 'medium', 'pro']) }),
  })
  .meta({ id: 'Me', example: accountExample });

export const loginResult = z
  .object({
    token: buildAsciiTextSchema(4_000).meta({
      description: 'The session token. Send it as `Authorization: Bearer <token>`.',
    }),
    expiresAt: timestamp,
    user: me,
  })
  .meta({
    id: 'LoginResult',
    example: { token: 'eyJhbGciOi…', expiresAt: '2026-03-09T09:30:00.000Z', user: accountExample },
  });

export const noInput = z.strictObject({});
