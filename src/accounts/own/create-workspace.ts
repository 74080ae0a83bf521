import { DAY_MS } from '../../kernel/dates/durations.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { countHit, requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { countJoinedWorkspaces, findPlacement } from '../../workspaces/directory/directory.queries.ts';
import { createAnotherWorkspace, createWorkspaceLocation } from '../../workspaces/directory/provision.ts';
import { workspaceCreateInput, workspaceCreateOutput } from './own-account.schema.ts';

const WORKSPACES_MAX = 50;
const NEW_WORKSPACES_PER_DAY_MAX = 10;

export const createWorkspace = defineOperation(
  {
    name: 'createWorkspace',
    summary: 'Create another workspace',
    access: 'account',
    capability: null,
    effect: 'write',
    input: workspaceCreateInput,
    output: workspaceCreateOutput,
    replay: {
      // Creates the workspace again if the directory doesn't list it, because a crash may have left it incomplete.
      rebuild: async ({ account, directory, request }, { name }, made) => {
        const [workspaceId = '', cell] = made.split(' ');
        const [known] = await directory.batch([findPlacement(workspaceId)]);
        if (!known)
          await createAnotherWorkspace(
            request,
            account,
            { workspace_id: workspaceId, cell: Number(cell) },
            { name, timeZone: request.timeZone },
          );
        return { workspaceId };
      },
    },
  },
  async ({ account, directory, request }, { name }) => {
    const [joined] = await directory.batch([countJoinedWorkspaces(account.id)]);
    if (joined >= WORKSPACES_MAX) {
      throw invalidRequestError(
        `You belong to ${joined} workspaces, and the limit is ${WORKSPACES_MAX}. Leave one first.`,
      );
    }
    const window = `workspaces:${account.id}`;
    requireWithinRateLimit(
      await countHit(request, window, NEW_WORKSPACES_PER_DAY_MAX, DAY_MS, { durable: true }),
    );
    const location = await createWorkspaceLocation(request);
    await directory.claimKeyFor(`${location.workspace_id} ${location.cell}`);
    await createAnotherWorkspace(request, account, location, { name, timeZone: request.timeZone });
    return { workspaceId: location.workspace_id };
  },
);
