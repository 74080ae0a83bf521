import * as z from 'zod';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import {
  defineTool,
  personReference,
  pickFields,
  projectReference,
  readOnlyHints,
  resolveCallReferences,
  summaryOutput,
  type ToolContext,
} from '../../kernel/tools/tool.ts';
import {
  buildToolPageSchema,
  rejectOverriddenArguments,
  slicePage,
  type ToolPageInput,
  toolPageInput,
  toSingleItemPage,
  trimPage,
} from '../../kernel/tools/tool-page.ts';
import { listProjectMembers } from '../../projects/operations/projects.ts';
import { listLabels } from '../../tasks/labels/labels.ts';
import { listTaskCategories } from './categories.ts';
import { listProjectStatuses, listTaskStatuses } from './statuses.ts';
import { listTeams } from './teams.ts';
import { listTaskTypes } from './types.ts';
import { getUser, listUsers } from './users.ts';

const personRow = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.string(),
  isOwner: z.boolean().optional(),
});

export const findPeople = defineTool(
  {
    name: 'find_people',
    title: 'Find people',
    description: "List everyone, a project's members, or one person.",
    access: 'projects:read',
    hints: readOnlyHints,
    input: z.strictObject({
      person: personReference.optional(),
      project: projectReference.optional(),
      ...toolPageInput,
    }),
    output: buildToolPageSchema(personRow),
    covers: { listUsers: '', listProjectMembers: 'with project' },
    lines: ({ data }) =>
      data.map((each) => buildToolLine(each.id, each.name, each.email, each.role, each.isOwner && 'owner')),
  },
  async (ctx, { person, project, ...range }) => {
    if (person !== undefined && project !== undefined) {
      throw invalidRequestError('Send person or project, not both.');
    }
    if (person !== undefined) rejectOverriddenArguments('person', range);
    const { projectId, userIds } = await resolveCallReferences(ctx, {
      project,
      people: person ? [person] : [],
    });
    if (userIds[0] !== undefined) {
      const found = await ctx.run(getUser, { id: userIds[0] });
      return toSingleItemPage(pickFields(found, 'id', 'name', 'email', 'role'));
    }
    if (projectId !== undefined) {
      const { data } = await ctx.run(listProjectMembers, { id: projectId });
      return slicePage(data, range, {
        key: ({ id }) => id,
        trim: (each) => pickFields(each, 'id', 'name', 'email', 'role', 'isOwner'),
      });
    }
    return trimPage(await ctx.list(listUsers, range), (each) =>
      pickFields(each, 'id', 'name', 'email', 'role'),
    );
  },
);

const referenceKinds = [
  'task_statuses',
  'project_statuses',
  'task_categories',
  'task_types',
  'teams',
  'labels',
] as const;

const referenceRow = z.strictObject({
  id: z.int().optional(),
  key: z.string().optional(),
  value: z.string().optional(),
  label: z.string().optional(),
  name: z.string().optional(),
  description: z.string().nullable().optional(),
  categoryId: z.int().optional(),
  parentId: z.int().nullable().optional(),
  defaultEstimatedHours: z.number().nullable().optional(),
  members: z.array(summaryOutput).optional(),
});

export const listReference = defineTool(
  {
    name: 'list_reference',
    title: 'List statuses, categories, types, teams or tags',
    description: 'List values to send to other tools.',
    access: 'projects:read',
    hints: readOnlyHints,
    input: z.strictObject({
      kind: z.enum(referenceKinds),
      categoryId: integerId.optional().meta({ description: 'Only types of this category.' }),
      ...toolPageInput,
    }),
    output: buildToolPageSchema(referenceRow),
    covers: {
      listTaskCategories: 'kind task_categories',
      listTaskTypes: 'kind task_types',
      listLabels: 'kind labels',
    },
    lines: ({ data }) =>
      data.map((each) =>
        buildToolLine(
          each.id,
          each.name ?? each.value,
          each.label ?? each.key ?? each.description,
          each.categoryId !== undefined && `category ${each.categoryId}`,
          each.parentId && `part of ${each.parentId}`,
          typeof each.defaultEstimatedHours === 'number' && `${each.defaultEstimatedHours} h`,
          each.members?.map((member) => member.name).join(', '),
        ),
      ),
  },
  async (ctx, { kind, categoryId, ...range }) => {
    if (categoryId !== undefined && kind !== 'task_types') {
      throw invalidRequestError(`categoryId requires kind task_types; got kind ${kind}`);
    }
    return referenceLists[kind](ctx, { ...range, ...(categoryId !== undefined && { categoryId }) });
  },
);

type ReferenceLister = (
  ctx: ToolContext,
  range: ToolPageInput & { categoryId?: number },
) => Promise<ReferencePage>;
type ReferencePage = z.input<ReturnType<typeof buildToolPageSchema<typeof referenceRow>>>;

const referenceLists: Record<(typeof referenceKinds)[number], ReferenceLister> = {
  task_statuses: async (ctx, range) =>
    trimPage(await ctx.list(listTaskStatuses, range), (each) => pickFields(each, 'id', 'value', 'label')),
  project_statuses: async (ctx, range) =>
    trimPage(await ctx.list(listProjectStatuses, range), (each) => pickFields(each, 'id', 'value', 'label')),
  task_categories: async (ctx, range) => trimPage(await ctx.list(listTaskCategories, range), (each) => each),
  task_types: async (ctx, range) => trimPage(await ctx.list(listTaskTypes, range), (each) => each),
  labels: async (ctx, range) =>
    trimPage(await ctx.list(listLabels, range), (each) => pickFields(each, 'name', 'description')),
  teams: async (ctx, range) =>
    trimPage(await ctx.list(listTeams, range), ({ members, ...each }) => ({
      ...each,
      members: members.map((member) => pickFields(member, 'name', 'role')),
    })),
};
