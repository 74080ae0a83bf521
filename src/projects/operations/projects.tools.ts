import * as z from 'zod';
import { line, quoted } from '../../kernel/text/tool-text.ts';
import {
  pick,
  projectReference,
  reads,
  resolveOne,
  summary,
  textOffset,
  tool,
} from '../../kernel/tools/tool.ts';
import { onePage, pageOfTool, requireUnused, toolPage, trimPage } from '../../kernel/tools/tool-page.ts';
import { projectScopes } from './projects.schema.ts';
import { getProject, listProjects } from './projects.ts';

const projectRow = z.strictObject({
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
    description: 'List projects, newest first; project returns one in detail.',
    access: 'projects:read',
    hints: reads,
    input: z.strictObject({
      project: projectReference.optional(),
      scope: z.enum(projectScopes).optional().meta({ description: 'mine: created or joined by you.' }),
      ...pageOfTool,
      textOffset,
    }),
    output: toolPage(projectRow),
    standsFor: { listProjects: '' },
    lines: ({ data }) =>
      data.flatMap((each) => [
        line(
          `${each.id} ${each.name}`,
          each.status,
          `${each.taskCount} tasks`,
          each.memberCount !== undefined && `${each.memberCount} members`,
          each.owner && `owner ${each.owner.name}`,
        ),
        ...(each.description ? quoted(each.description) : []),
      ]),
  },
  async (ctx, { project, textOffset: skip, ...filter }) => {
    if (project === undefined) {
      requireUnused('a list', { textOffset: skip });
      const listed = await ctx.list(listProjects, { scope: 'all', ...filter });
      return trimPage(listed, ({ members: _, ...each }) => each);
    }
    requireUnused('project', filter);
    const { projectId } = await resolveOne(ctx, { project });
    const found = await ctx.run(getProject, { id: projectId as number });
    return onePage(
      pick(found, 'id', 'name', 'status', 'taskCount', 'createdAt', 'owner', 'memberCount', 'description'),
    );
  },
);
