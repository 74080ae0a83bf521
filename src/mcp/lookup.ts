import * as z from 'zod';
import { operation } from '../kernel/operation.ts';
import { findPeople, findProjects } from './lookup.queries.ts';

/** No REST route: there people and projects are named by id. One trip for all names of a tool call. */
export const lookUpNames = operation(
  {
    name: 'lookUpNames',
    summary: 'Find people and projects by name',
    access: 'projects:read',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({ people: z.array(z.string()), projects: z.array(z.string()) }),
    output: z.object({
      people: z.array(z.object({ id: z.string(), name: z.string(), email: z.string() })),
      projects: z.array(z.object({ id: z.int(), name: z.string() })),
    }),
  },
  async ({ db, caller }, input) => {
    const [people, projects] = await db.batch([
      findPeople(caller, input.people),
      findProjects(caller, input.projects),
    ]);
    return { people, projects };
  },
);
