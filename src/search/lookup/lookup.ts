import * as z from 'zod';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import {
  findPeople,
  findProjects,
  findSimilarPeople,
  findSimilarProjects,
  type PersonFound,
  type ProjectFound,
} from './lookup.queries.ts';

// These have no REST route, because REST refers to people and projects by id. Tools and forms accept names.

const spec = {
  access: 'projects:read',
  capability: 'seeProjects',
  effect: 'read',
  input: z.strictObject({ people: z.array(z.string()), projects: z.array(z.string()) }),
  output: z.object({
    people: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
    projects: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
} as const;

/** Looks up all names of a tool call or a form in one trip. */
export const lookUpNames = operation(
  { name: 'lookUpNames', summary: 'Find people and projects by name', ...spec },
  async (ctx, { people, projects }) =>
    runBoth(ctx, findPeople(ctx.caller, people), findProjects(ctx.caller, projects)),
);

export const lookUpSimilar = operation(
  { name: 'lookUpSimilar', summary: 'Find people and projects whose name contains a text', ...spec },
  async (ctx, { people, projects }) =>
    runBoth(ctx, findSimilarPeople(ctx.caller, people), findSimilarProjects(ctx.caller, projects)),
);

async function runBoth(
  { db }: Context,
  findingPeople: Statement<PersonFound[]>,
  findingProjects: Statement<ProjectFound[]>,
) {
  const [people, projects] = await db.batch([findingPeople, findingProjects]);
  return { people, projects };
}
