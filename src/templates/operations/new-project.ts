import { recordEvent } from '../../events/log/record.queries.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { PROJECTS_MAX } from '../../projects/operations/change-projects.ts';
import {
  assertProjectsMax,
  insertProject,
  newestProjectId,
} from '../../projects/operations/project-changes.queries.ts';
import { projectCreated } from '../../projects/operations/project-changes.schema.ts';
import { requirePermissionToCreateProjects } from '../../projects/operations/projects.policy.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { assertFieldsUnchanged, listDefinitions } from '../../tasks/custom-fields/custom-fields.queries.ts';
import { assertValidParents } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { relateNewTasks } from '../../tasks/model/relations.queries.ts';
import { selectNewTasks } from '../../tasks/model/selection.queries.ts';
import { createTasks } from '../../tasks/write/tasks.write.ts';
import { buildTemplateDrafts, parseContent } from '../model/template-content.ts';
import { templateNotFoundError } from '../model/templates.policy.ts';
import { assertTemplateUnchanged, findTemplate } from '../model/templates.queries.ts';
import { newProjectInput } from '../model/templates.schema.ts';
import { assertNewestProject, findNextProjectId } from './new-project.queries.ts';

/** Creates the project and its tasks in one batch, so that no one sees an unfinished project. */
export const createProjectFromTemplate = defineOperation(
  {
    name: 'createProjectFromTemplate',
    summary: 'Create a project from a template',
    access: 'session',
    capability: 'createProjects',
    effect: 'write',
    input: newProjectInput,
    output: projectCreated,
    replay: { entity: newestProjectId, rebuild: async (_ctx, _input, id) => ({ id }) },
  },
  async (ctx, { templateId, startDate, name, description }) => {
    const { caller, db, now } = ctx;
    const [template, id, definitions] = await db.batch([
      findTemplate(caller, templateId),
      findNextProjectId(),
      listDefinitions(caller),
    ]);
    if (template?.kind !== 'project') throw templateNotFoundError(templateId, 'templateId');
    requirePermissionToCreateProjects(ctx);
    const firstDay = startDate ?? toWallClock(now, caller.timezone).date;
    const content = parseContent(template.content);
    const fields = definitions.filter((field) => content.project?.fields.includes(field.id));
    const { drafts, relations } = buildTemplateDrafts('project', content, { project: id, fields, firstDay });
    const setup = {
      task_columns: content.project?.columns ?? null,
      field_ids: fields.length > 0 ? JSON.stringify(fields.map((field) => field.id)) : null,
    };
    const status = 'active';
    const writes = [
      assertTemplateUnchanged(caller, template),
      assertFieldsUnchanged(caller, { read: { fields, projects: [] }, people: [] }),
      ...insertProject(caller, { name, description, status }, now, setup),
      assertProjectsMax(caller, PROJECTS_MAX),
      assertNewestProject(id),
      ...(drafts.length > 0
        ? [
            ...createTasks(ctx, drafts),
            assertValidParents(caller, selectNewTasks(drafts.length)),
            ...relateNewTasks(caller.workspace, relations, drafts.length),
          ]
        : []),
      recordEvent(ctx, {
        type: 'project.created',
        project: id,
        changes: {
          name: { from: null, to: name },
          status: { from: null, to: status },
          owner: { from: null, to: caller.userId },
        },
      }),
    ];
    await db.batch(writes);
    indexWaitingTextsAfterResponse(ctx, writes);
    return { id };
  },
);
