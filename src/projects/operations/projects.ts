import * as z from 'zod';
import {
  buildPage,
  buildPageSchema,
  buildSinglePage,
  buildSinglePageSchema,
  pageInput,
  toRange,
} from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { buildNameListSchema, integerId, toTimestamp } from '../../kernel/operation/schema.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import { pickMatches, SEARCH_CHARACTERS_MAX } from '../../search/index/pick-matches.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import * as queries from './projects.queries.ts';
import { project, projectDetail, projectMember, projectScopes } from './projects.schema.ts';

export { findProject } from './projects.queries.ts';

const expandInput = buildNameListSchema(['members'])
  .optional()
  .meta({ description: "`members` adds each project's members.", example: ['members'] });

export const listProjects = defineOperation(
  {
    name: 'listProjects',
    summary: 'List projects, newest first',
    description:
      'Returns every project visible to your role or, with `scope=mine`, the projects you created or joined. `taskCount` excludes archived tasks.',
    access: 'projects:read',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({
      ...pageInput,
      search: z.string().min(1).max(SEARCH_CHARACTERS_MAX).optional().meta({
        description: 'Only projects whose name contains this text, ignoring case.',
        example: 'spring',
      }),
      expand: expandInput,
      scope: z
        .enum(projectScopes)
        .default('all')
        .meta({ description: '`mine` lists projects you created or joined.', example: 'mine' }),
    }),
    output: buildPageSchema(project).meta({ id: 'ProjectPage' }),
  },
  async (ctx, { search, ...input }) => {
    const range = toRange(input, 1);
    const filter = { ...range, scope: input.scope };
    const isExpanded = Boolean(input.expand?.length);
    const { rows, total, members } =
      search === undefined
        ? await readProjectPage(ctx, filter, isExpanded)
        : await searchProjects(ctx, filter, search, isExpanded);
    const byProject = members && Map.groupBy(members, (member) => member.project_id);
    return buildPage({
      range,
      total,
      rows,
      key: (row) => [row.id],
      show: (row) => ({
        ...toProject(row),
        members: byProject && (byProject.get(row.id) ?? []).map(toMember),
      }),
    });
  },
);

async function readProjectPage({ db, caller }: Context, filter: queries.ProjectFilter, isExpanded: boolean) {
  const [rows, total, members] = await db.batch([
    queries.listProjects(caller, filter),
    queries.countProjects(caller, filter.scope),
    ...(isExpanded ? [queries.listMembersOnPage(caller, filter)] : []),
  ]);
  return { rows, total, members };
}

async function searchProjects(
  { db, caller }: Context,
  filter: queries.ProjectFilter,
  search: string,
  isExpanded: boolean,
) {
  const [all] = await db.batch([queries.listAllProjects(caller, filter)]);
  const found = pickMatches(all, search, filter, ({ name }) => [name]);
  if (!isExpanded) return { ...found, members: undefined };
  const ids = selectIdsInOrder(found.rows.map(({ id }) => id));
  const [members] = await db.batch([queries.listMembersByProject(caller, ids)]);
  return { ...found, members };
}

export const getProject = defineOperation(
  {
    name: 'getProject',
    summary: 'Get a project with its lead and member count',
    description: 'Add `expand=members` to include its members.',
    access: 'projects:read',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({ id: integerId, expand: expandInput }),
    output: projectDetail,
  },
  async ({ db, caller }, input) => {
    const expanded = input.expand?.length ? [queries.listProjectMemberRows(caller, input.id)] : [];
    const [found, members] = await db.batch([queries.getProject(caller, input.id), ...expanded]);
    if (!found) throw projectNotFoundError(input.id);
    return {
      ...toProject(found),
      description: found.description,
      owner: { id: found.owner_id, name: found.owner_name, email: found.owner_email },
      memberCount: found.member_count,
      members: members?.map(toMember),
    };
  },
);

export const listProjectMembers = defineOperation(
  {
    name: 'listProjectMembers',
    summary: 'List everyone in a project, with the project lead first',
    description: 'Not paginated. Use this list to find the ids of assignees.',
    access: 'projects:read',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: buildSinglePageSchema(projectMember).meta({ id: 'ProjectMemberPage' }),
  },
  async ({ db, caller }, { id }) => {
    const [found, members] = await db.batch([
      queries.findProject(caller, id),
      queries.listProjectMemberRows(caller, id),
    ]);
    if (!found) throw projectNotFoundError(id);
    return buildSinglePage(members.map(toMember));
  },
);

function toProject(row: queries.ProjectRow) {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    taskCount: row.task_count,
    createdAt: toTimestamp(row.created_at),
  };
}

function toMember(row: queries.ProjectMemberRow) {
  return { ...row, isOwner: row.is_owner === 1 };
}
