import * as z from 'zod';
import {
  line,
  pageOfTool,
  pick,
  projectReference,
  reads,
  summary,
  textFrom,
  textOffset,
  tool,
  toolPage,
  trimPage,
} from '../kernel/tool.ts';
import { projectScopes } from './projects.schema.ts';
import { getProject, listProjects } from './projects.ts';

const row = z.strictObject({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  taskCount: z.int(),
  createdAt: z.string(),
  description: z.string().nullable().optional(),
  owner: summary.optional(),
  memberCount: z.int().optional(),
});

export const findProjects = tool(
  {
    name: 'find_projects',
    title: 'Find projects',
    description: 'List projects, newest first; with project, that one in detail.',
    access: 'projects:read',
    hints: reads,
    input: z.strictObject({
      project: projectReference.optional(),
      scope: z.enum(projectScopes).default('all').meta({ description: 'mine: created or joined by you.' }),
      ...pageOfTool,
      textOffset,
    }),
    output: toolPage(row),
    standsFor: { listProjects: '' },
    lines: ({ data }) =>
      data.map((each) =>
        [
          line(
            `${each.id} ${each.name}`,
            each.status,
            `${each.taskCount} tasks`,
            each.memberCount !== undefined && `${each.memberCount} members`,
            each.owner && `owner ${each.owner.name}`,
          ),
          ...(each.description ? [each.description] : []),
        ].join('\n'),
      ),
  },
  async (ctx, { project, textOffset: skip, ...filter }) => {
    if (project === undefined) {
      return trimPage(await ctx.run(listProjects, filter), ({ members: _, ...each }) => each);
    }
    const { projectId } = await ctx.resolve({ project });
    const found = await ctx.run(getProject, { id: projectId as number });
    const detail = {
      ...pick(found, 'id', 'name', 'status', 'taskCount', 'createdAt', 'owner', 'memberCount'),
      description: textFrom(found.description, skip),
    };
    return { data: [detail], total: 1, nextOffset: null };
  },
);
