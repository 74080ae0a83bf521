import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { batchByName } from '../../kernel/sql/batch-by-name.ts';
import {
  findPeople,
  findProjects,
  findProjectsByIds,
  findSimilarPeople,
  findSimilarProjects,
} from '../../search/lookup/lookup.queries.ts';
import { listLabelSpellings } from '../labels/labels.queries.ts';
import { parseText } from './parse-text.ts';
import { listParentTasks } from './quick-add.queries.ts';
import { quickAddInput, quickAddTask } from './quick-add.schema.ts';
import { collectNamesToFind, parseProjectNumber, resolveQuickAddTask } from './resolve-task.ts';

/** The preview and the form both use this operation, so that the created task matches the preview. */
export const parseQuickAdd = defineOperation(
  {
    name: 'parseQuickAdd',
    summary: 'Parse a task from a line of text, without creating it',
    access: 'session',
    capability: 'seeProjects',
    effect: 'read',
    input: quickAddInput,
    output: quickAddTask,
  },
  async ({ db, caller, now }, { text, projectId }) => {
    const clock = toWallClock(now, caller.timezone);
    const read = parseText(text, clock.date);
    const names = collectNamesToFind(read);
    const numbers = [projectId, ...names.projects.map(parseProjectNumber)].filter(
      (each) => typeof each === 'number',
    );
    const found = await batchByName(db, {
      people: findPeople(caller, names.people),
      similarPeople: findSimilarPeople(caller, names.people),
      projects: findProjects(caller, names.projects),
      similarProjects: findSimilarProjects(caller, names.projects),
      numbered: findProjectsByIds(caller, numbers),
      parents: names.parents.length > 0 ? listParentTasks(caller, names.parents) : null,
      labels: names.tags.length > 0 ? listLabelSpellings(caller, names.tags) : null,
    });
    return resolveQuickAddTask(read, found, { caller, now, clock, chosen: projectId });
  },
);
