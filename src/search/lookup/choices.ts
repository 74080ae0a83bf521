import * as z from 'zod';
import { notFoundError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { projectScopes } from '../../projects/operations/projects.schema.ts';
import { projectStatusRows, taskStatusRows } from '../../schema/cell/reference.ts';
import { personId, personName, referenceText } from '../../tasks/summaries/summaries.schema.ts';
import {
  findTeamName,
  listPeopleNames,
  listProjectNames,
  listStatusNames,
  listTeamNames,
} from './choices.queries.ts';

/*
 * The operations in this file return only ids and names. The lists in `/v1` also count and sort, which reads too many
 * rows for a form.
 */

const choiceList = z.object({
  data: z.array(z.object({ id: integerId, name: z.string() })),
  meta: z.object({ hasMore: z.boolean() }),
});

const choiceListSpec = { access: 'session', effect: 'read', output: choiceList } as const;
const CHOICES_MAX = 100;

export const listProjectChoices = defineOperation(
  {
    name: 'listProjectChoices',
    summary: 'List project names, newest first',
    capability: 'seeProjects',
    input: z.strictObject({ scope: z.enum(projectScopes).default('all') }),
    ...choiceListSpec,
  },
  async ({ db, caller }, { scope }) => {
    const [found] = await db.batch([listProjectNames(caller, scope, CHOICES_MAX + 1)]);
    return toChoices(found);
  },
);

export const listTeamChoices = defineOperation(
  {
    name: 'listTeamChoices',
    summary: 'List team names',
    capability: 'seeReference',
    input: z.strictObject({}),
    ...choiceListSpec,
  },
  async ({ db, caller }) => {
    const [found] = await db.batch([listTeamNames(caller, CHOICES_MAX + 1)]);
    return toChoices(found);
  },
);

export const getTeamChoice = defineOperation(
  {
    name: 'getTeamChoice',
    summary: "Get a team's name",
    access: 'session',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({ id: integerId }),
    output: z.object({ id: integerId, name: z.string() }),
  },
  async ({ db, caller }, { id }) => {
    const [found] = await db.batch([findTeamName(caller, id)]);
    if (!found) throw notFoundError('team', id, ({ call }) => call('listTeams'));
    return found;
  },
);

export const listPeopleChoices = defineOperation(
  {
    name: 'listPeopleChoices',
    summary: "List people's names alphabetically",
    access: 'session',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({
      data: z.array(z.object({ id: personId, name: personName })),
      meta: z.object({ hasMore: z.boolean() }),
    }),
  },
  async ({ db, caller }) => {
    const [found] = await db.batch([listPeopleNames(caller, CHOICES_MAX + 1)]);
    const people = found
      .slice(0, CHOICES_MAX)
      .toSorted((one, other) => nameCollator.compare(one.name, other.name));
    return { data: people, meta: { hasMore: found.length > CHOICES_MAX } };
  },
);

const nameCollator = new Intl.Collator('en');

const statusChoices = z.array(z.object({ value: referenceText, label: referenceText }));

export const listStatusChoices = defineOperation(
  {
    name: 'listStatusChoices',
    summary: 'List task and project statuses, in order',
    access: 'session',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({}),
    output: z.object({ tasks: statusChoices, projects: statusChoices }),
  },
  async ({ db }) => {
    const [tasks, projects] = await db.batch([
      listStatusNames(taskStatusRows),
      listStatusNames(projectStatusRows),
    ]);
    return { tasks: sortByPosition(tasks), projects: sortByPosition(projects) };
  },
);

function sortByPosition(statuses: readonly { value: string; label: string; position: number }[]) {
  return statuses
    .toSorted((one, other) => one.position - other.position)
    .map(({ value, label }) => ({ value, label }));
}

function toChoices(found: readonly { id: number; name: string }[]) {
  return { data: found.slice(0, CHOICES_MAX), meta: { hasMore: found.length > CHOICES_MAX } };
}
