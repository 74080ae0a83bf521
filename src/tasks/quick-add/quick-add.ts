import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import {
  findPeople,
  findProjects,
  findProjectsByIds,
  findSimilarPeople,
  findSimilarProjects,
} from '../../search/lookup/lookup.queries.ts';
import { parseText } from './parse-text.ts';
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
    const read = parseText(text, toWallClock(now, caller.timezone).date);
    const names = collectNamesToFind(read);
    const numbers = [projectId, ...names.projects.map(parseProjectNumber)].filter(
      (each) => typeof each === 'number',
    );
    const [people, similarPeople, projects, similarProjects, numbered] = await db.batch([
      findPeople(caller, names.people),
      findSimilarPeople(caller, names.people),
      findProjects(caller, names.projects),
      findSimilarProjects(caller, names.projects),
      findProjectsByIds(caller, numbers),
    ]);
    const found = { people, similarPeople, projects, similarProjects, numbered };
    return resolveQuickAddTask(read, found, caller, projectId);
  },
);
