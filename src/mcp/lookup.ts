import * as z from 'zod';
import { operation } from '../kernel/operation.ts';
import { findPeople, findProjects } from './lookup.queries.ts';

/** Has no REST route, because REST names people and projects by id. Looks all names of a tool call up in one trip. */
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
