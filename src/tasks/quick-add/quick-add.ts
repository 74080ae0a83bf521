import { wallClock } from '../../kernel/dates/civil.ts';
import { operation } from '../../kernel/operation/operation.ts';
import {
  findPeople,
  findProjects,
  findProjectsNumbered,
  findSimilarPeople,
  findSimilarProjects,
} from '../../search/lookup/lookup.queries.ts';
import { understandInput, understoodTask } from './quick-add.schema.ts';
import { readText } from './read-text.ts';
import { namesIn, numberIn, understand } from './understand.ts';

/** The preview and the form both read the text by this operation, so that the task matches the preview. */
export const understandTask = operation(
  {
    name: 'understandTask',
    summary: 'Parse a task from a line of text, without creating it',
    access: 'session',
    capability: 'seeProjects',
    effect: 'read',
    input: understandInput,
    output: understoodTask,
  },
  async ({ db, caller, now }, { text, projectId }) => {
    const read = readText(text, wallClock(now, caller.timezone).date);
    const names = namesIn(read);
    const numbers = [projectId, ...names.projects.map(numberIn)].filter((each) => typeof each === 'number');
    const [people, similarPeople, projects, similarProjects, numbered] = await db.batch([
      findPeople(caller, names.people),
      findSimilarPeople(caller, names.people),
      findProjects(caller, names.projects),
      findSimilarProjects(caller, names.projects),
      findProjectsNumbered(caller, numbers),
    ]);
    const found = { people, similarPeople, projects, similarProjects, numbered };
    return understand(read, found, caller, projectId);
  },
);
