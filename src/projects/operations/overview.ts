import * as z from 'zod';
import { buildPage, buildPageSchema, pageInput, toRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import {
  countOverviewProjects,
  findProjectsAndPeopleByName,
  listOverviewMembers,
  listOverviewProjects,
} from './overview.queries.ts';
import { project, projectScopes } from './projects.schema.ts';

const NAMES_FOUND_MAX = 8;
const closedStatuses = ['completed', 'cancelled'] as const;
const searchText = z.string().trim().min(1).max(200);

const overviewItem = project.omit({ members: true }).extend({
  lead: z.string(),
  people: z.array(z.object({ id: z.string(), name: z.string() })),
  progress: z.array(z.int()),
});
export type ProjectOverview = z.output<typeof overviewItem>;

export const listProjectOverviews = defineOperation(
  {
    name: 'listProjectOverviews',
    summary: 'List projects with their lead, members and progress',
    access: 'session',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({
      ...pageInput,
      scope: z.enum(projectScopes).default('all'),
      search: searchText.optional(),
      ended: z.boolean().default(false),
    }),
    output: buildPageSchema(overviewItem),
  },
  async ({ db, caller }, { scope, search, ended, ...input }) => {
    const range = toRange(input, 1);
    const filter = { scope, search, without: ended ? [] : closedStatuses };
    const [rows, total, members] = await db.batch([
      listOverviewProjects(caller, filter, range),
      countOverviewProjects(caller, filter),
      listOverviewMembers(caller, filter, range),
    ]);
    const byProject = Map.groupBy(members, (member) => member.project_id);
    return buildPage({
      range,
      total,
      rows,
      key: (row) => [row.id],
      show: (row) => ({
        id: row.id,
        name: row.name,
        status: row.status,
        taskCount: row.task_count,
        createdAt: toTimestamp(row.created_at),
        lead: row.lead_name,
        people: (byProject.get(row.id) ?? []).map(({ id, name }) => ({ id, name })),
        progress: JSON.parse(row.progress) as number[],
      }),
    });
  },
);

export const findNames = defineOperation(
  {
    name: 'findNames',
    summary: 'Find projects and people by part of their name',
    access: 'session',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({ search: searchText }),
    output: z.object({
      projects: z.array(z.object({ id: z.int(), name: z.string() })).max(NAMES_FOUND_MAX),
      people: z.array(z.object({ id: z.string(), name: z.string() })).max(NAMES_FOUND_MAX),
    }),
  },
  async ({ db, caller }, { search }) => {
    const [found] = await db.batch([findProjectsAndPeopleByName(caller, search, NAMES_FOUND_MAX)]);
    const filterByKind = (kind: 'project' | 'person') => found.filter((each) => each.kind === kind);
    return {
      projects: filterByKind('project').map(({ id, name }) => ({ id: Number(id), name })),
      people: filterByKind('person').map(({ id, name }) => ({ id, name })),
    };
  },
);
