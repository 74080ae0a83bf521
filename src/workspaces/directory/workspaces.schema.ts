import * as z from 'zod';
import { roles } from '../../kernel/access/roles.ts';
import { buildPageSchema, pageInput } from '../../kernel/lists/pagination.ts';
import { workspaceId, workspaceName } from '../../tasks/summaries/summaries.schema.ts';

const plans = ['free', 'medium', 'pro'] as const;

const workspaceItem = z
  .object({
    id: workspaceId,
    name: workspaceName,
    plan: z.enum(plans),
    role: z.enum(roles).meta({ description: 'Your role in the workspace.' }),
    isActive: z.boolean().meta({ description: "Whether this is the credential's workspace." }),
  })
  .meta({
    id: 'Workspace',
    example: { id: 'ws_8Qm2vK', name: 'Northwind Studio', plan: 'pro', role: 'owner', isActive: true },
  });

const NAME_CHARACTERS_MAX = 100;

/** Names appear in emails to strangers, so they must not contain line breaks or other control characters. */
export const workspaceNameInput = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARACTERS_MAX)
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters');

export const listWorkspacesInput = z.strictObject(pageInput);
export const workspacePage = buildPageSchema(workspaceItem).meta({ id: 'WorkspacePage' });

export const switchWorkspaceInput = z.strictObject({
  id: z.string().meta({ description: 'A workspace id from GET /workspaces.', example: 'ws_8Qm2vK' }),
});
