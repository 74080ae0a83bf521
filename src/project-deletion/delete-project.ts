import * as z from 'zod';
import { recordEvent } from '../event-log/record.queries.ts';
import { forbidden, invalidRequest } from '../kernel/errors.ts';
import { operation } from '../kernel/operation.ts';
import { done, doneAgain, integerId } from '../kernel/schema.ts';
import { findProject, projectNotFound } from '../projects/projects.ts';
import { projectName } from '../summaries/summaries.schema.ts';
import { hideProject } from './hide-project.queries.ts';
import { listProgress } from './slices.queries.ts';

export const deleteProject = operation(
  {
    name: 'deleteProject',
    summary: 'Delete a project with everything in it',
    description: 'It vanishes at once for everybody. Nothing brings it back.',
    access: 'session',
    capability: 'deleteProjects',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      name: z.string().max(1_000).meta({ description: 'Its name, typed to be sure.' }),
    }),
    output: done,
    repeat: doneAgain,
  },
  async (ctx, { id, name }) => {
    const { caller, db, now, reach } = ctx;
    const [project] = await db.batch([findProject(caller, id)]);
    if (!project) throw projectNotFound(id);
    if (reach !== 'all') {
      throw forbidden(`Deleting project ${id} takes an owner or admin of the workspace. Ask one of them.`);
    }
    if (name !== project.name) {
      throw invalidRequest(`name must be the name of the project, letter by letter: ${project.name}`);
    }
    await db.batch([
      recordEvent(ctx, { type: 'project.deleted', project: id, changes: { name: { from: name, to: null } } }),
      ...hideProject({ ws: caller.workspace, id }, now),
    ]);
    return { success: true as const };
  },
);

export const listProjectDeletions = operation(
  {
    name: 'listProjectDeletions',
    summary: 'Deleted projects whose tasks are still being removed',
    access: 'session',
    capability: 'deleteProjects',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({
      deletions: z.array(z.object({ id: integerId, name: projectName, tasks: z.int(), tasksLeft: z.int() })),
    }),
  },
  async ({ caller, db, reach }) => {
    if (reach !== 'all') return { deletions: [] };
    const [found] = await db.batch([listProgress(caller)]);
    return { deletions: found.map(({ tasks_left, ...row }) => ({ ...row, tasksLeft: tasks_left })) };
  },
);
