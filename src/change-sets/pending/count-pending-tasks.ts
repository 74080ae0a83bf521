import type * as z from 'zod';
import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { getProject, listProjects } from '../../projects/operations/projects.ts';
import { type PendingSet, readOpenSet } from './pending-set.ts';

export async function listPendingProjects(ctx: Context, input: z.output<typeof listProjects.input>) {
  const pending = await readOpenSet(ctx);
  const page = await listProjects.handler(ctx, input);
  if (!(page instanceof OperationResponse)) throw new Error('listProjects must return an OperationResponse');
  const data = page.body.data.map((project) => addStagedTaskCount(pending, project));
  return new OperationResponse({ ...page.body, data }, { nextCursor: page.nextCursor ?? undefined });
}

export async function getPendingProject(ctx: Context, input: z.output<typeof getProject.input>) {
  const pending = await readOpenSet(ctx);
  const project = await getProject.handler(ctx, input);
  return addStagedTaskCount(pending, project instanceof OperationResponse ? project.body : project);
}

function addStagedTaskCount<P extends { id: number; taskCount: number }>(
  { folded }: PendingSet,
  project: P,
): P {
  const tasks = [...folded.tasks.values()].filter(
    ({ stored, changes }) => (stored?.project ?? changes.project) === project.id,
  );
  const differences = tasks.map(({ stored, changes }) => {
    const before = stored?.archived === 0 ? 1 : 0;
    return Number((changes.archived ?? stored?.archived ?? 0) === 0) - before;
  });
  return { ...project, taskCount: differences.reduce((sum, each) => sum + each, project.taskCount) };
}
