import * as z from 'zod';
import { formatCount } from '../../kernel/text/number-format.ts';
import { buildToolLine, quoteLines } from '../../kernel/text/tool-text.ts';
import {
  defineTool,
  pickFields,
  projectReference,
  readOnlyHints,
  resolveCallReferences,
  summaryOutput,
  textOffsetInput,
} from '../../kernel/tools/tool.ts';
import {
  buildToolPageSchema,
  rejectOverriddenArguments,
  toolPageInput,
  toSingleItemPage,
  trimPage,
} from '../../kernel/tools/tool-page.ts';
import { projectScopes } from './projects.schema.ts';
import { getProject, listProjects } from './projects.ts';

const projectRow = z.strictObject({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  taskCount: z.int(),
  createdAt: z.string(),
  description: z.string().nullable().optional(),
  owner: summaryOutput.optional(),
  memberCount: z.int().optional(),
});

export const findProjects = defineTool(
  {
    name: 'find_projects',
    title: 'Find projects',
    description: 'List projects, newest first, or get one with `project`.',
    access: 'projects:read',
    hints: readOnlyHints,
    input: z.strictObject({
      project: projectReference.optional(),
      scope: z.enum(projectScopes).optional().meta({ description: '`mine`: created or joined by you.' }),
      ...toolPageInput,
      textOffset: textOffsetInput,
    }),
    output: buildToolPageSchema(projectRow),
    covers: { listProjects: '' },
    lines: ({ data }) =>
      data.flatMap((each) => [
        buildToolLine(
          `${each.id} ${each.name}`,
          each.status,
          formatCount(each.taskCount, 'task'),
          each.memberCount !== undefined && formatCount(each.memberCount, 'member'),
          each.owner && `owner ${each.owner.name}`,
        ),
        ...(each.description ? quoteLines(each.description) : []),
      ]),
  },
  async (ctx, { project, textOffset: skip, ...filter }) => {
    if (project === undefined) {
      rejectOverriddenArguments('a list of projects', { textOffset: skip });
      const listed = await ctx.list(listProjects, { scope: 'all', ...filter });
      return trimPage(listed, ({ members: _, ...each }) => each);
    }
    rejectOverriddenArguments('project', filter);
    const { projectId } = await resolveCallReferences(ctx, { project });
    const found = await ctx.run(getProject, { id: projectId as number });
    return toSingleItemPage(
      pickFields(
        found,
        'id',
        'name',
        'status',
        'taskCount',
        'createdAt',
        'owner',
        'memberCount',
        'description',
      ),
    );
  },
);
