import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { parseFilter } from '../../tasks/saved-filters/saved-filters.ts';
import { taskFilter } from '../../tasks/saved-filters/task-filter.ts';
import { listSidebarItems } from './sidebar.queries.ts';

/** Applies separately to projects and to filters. */
export const SIDEBAR_ITEMS_MAX = 6;

export const getSidebar = defineOperation(
  {
    name: 'getSidebar',
    summary: 'List the projects and saved filters in the sidebar',
    access: 'session',
    capability: 'seeProjects',
    effect: 'read',
    input: z.strictObject({
      /**
       * The projects that the person opened most recently. After them, the sidebar lists the newest projects that the
       * person joined.
       */
      recent: z.array(integerId).max(SIDEBAR_ITEMS_MAX),
    }),
    output: z.object({
      projects: z.array(z.object({ id: integerId, name: z.string() })).max(SIDEBAR_ITEMS_MAX),
      filters: z
        .array(z.object({ id: integerId, name: z.string(), filter: taskFilter }))
        .max(SIDEBAR_ITEMS_MAX),
    }),
  },
  async ({ db, caller }, { recent }) => {
    const [rows] = await db.batch([listSidebarItems(caller, recent, SIDEBAR_ITEMS_MAX)]);
    const pickKind = (kind: (typeof rows)[number]['kind']) => rows.filter((row) => row.kind === kind);
    const projects = new Map(
      [...pickKind('recent'), ...pickKind('joined')].map(({ id, name }) => [id, { id, name }]),
    );
    const order = new Set([...recent, ...projects.keys()]);
    return {
      projects: [...order].flatMap((id) => projects.get(id) ?? []).slice(0, SIDEBAR_ITEMS_MAX),
      filters: pickKind('filter')
        .slice(0, SIDEBAR_ITEMS_MAX)
        .map(({ id, name, filter }) => ({ id, name, filter: parseFilter(filter ?? '{}') })),
    };
  },
);
