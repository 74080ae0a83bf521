import * as z from 'zod';
import { operation } from '../kernel/operation.ts';
import { integerId } from '../kernel/schema.ts';
import { projectScopes } from '../projects/projects.schema.ts';
import { listProjectNames, listTeamNames } from './choices.queries.ts';

/*
 * What a field offers to choose from: names alone. Lists of `/v1` count what each project and team holds, which costs more
 * than a field is worth.
 */

const choices = z.object({
  data: z.array(z.object({ id: integerId, name: z.string() })),
  meta: z.object({ hasMore: z.boolean() }),
});

const spec = { access: 'session', effect: 'read', output: choices } as const;
const OFFERED = 100;

export const listProjectChoices = operation(
  {
    name: 'listProjectChoices',
    summary: 'List the names of projects, newest first',
    capability: 'seeProjects',
    input: z.strictObject({ scope: z.enum(projectScopes).default('all') }),
    ...spec,
  },
  async ({ db, caller }, { scope }) => {
    const [found] = await db.batch([listProjectNames(caller, scope, OFFERED + 1)]);
    return offered(found);
  },
);

export const listTeamChoices = operation(
  {
    name: 'listTeamChoices',
    summary: 'List the names of teams',
    capability: 'seeReference',
    input: z.strictObject({}),
    ...spec,
  },
  async ({ db, caller }) => {
    const [found] = await db.batch([listTeamNames(caller, OFFERED + 1)]);
    return offered(found);
  },
);

function offered(found: readonly { id: number; name: string }[]) {
  return { data: found.slice(0, OFFERED), meta: { hasMore: found.length > OFFERED } };
}
