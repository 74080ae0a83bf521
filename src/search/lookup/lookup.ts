import * as z from 'zod';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import {
  type FoundPerson,
  type FoundProject,
  findPeople,
  findProjects,
  findSimilarPeople,
  findSimilarProjects,
} from './lookup.queries.ts';

export { SIMILAR_MATCHES_MAX } from './lookup.queries.ts';

// The operations below have no REST route, because REST requests contain ids. Tools and forms also accept names.

const lookUpSpec = {
  access: 'projects:read',
  capability: 'seeProjects',
  effect: 'read',
  input: z.strictObject({ people: z.array(z.string()), projects: z.array(z.string()) }),
  output: z.object({
    people: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
    projects: z.array(z.object({ id: z.int(), name: z.string() })),
  }),
} as const;

export const lookUpNames = defineOperation(
  { name: 'lookUpNames', summary: 'Find people and projects by name', ...lookUpSpec },
  async (ctx, { people, projects }) =>
    findPeopleAndProjects(ctx, findPeople(ctx.caller, people), findProjects(ctx.caller, projects)),
);

export const lookUpSimilar = defineOperation(
  {
    name: 'lookUpSimilar',
    summary: 'Find people and projects whose name contains the given text',
    ...lookUpSpec,
  },
  async (ctx, { people, projects }) =>
    findPeopleAndProjects(
      ctx,
      findSimilarPeople(ctx.caller, people),
      findSimilarProjects(ctx.caller, projects),
    ),
);

async function findPeopleAndProjects(
  { db }: Context,
  findingPeople: Statement<FoundPerson[]>,
  findingProjects: Statement<FoundProject[]>,
) {
  const [people, projects] = await db.batch([findingPeople, findingProjects]);
  return { people, projects };
}
