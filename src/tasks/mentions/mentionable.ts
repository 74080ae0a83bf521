import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { personId, personName, personSummary } from '../summaries/summaries.schema.ts';
import * as queries from './mentionable.queries.ts';

const PEOPLE_SUGGESTED_MAX = 8;
const NAMES_MAX = 1_000;

export const listMentionable = defineOperation(
  {
    name: 'listMentionable',
    summary: 'List people who can be mentioned on a task',
    access: 'session',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({ id: integerId, search: z.string().max(100).default('') }),
    output: z.object({ people: z.array(personSummary) }),
  },
  async ({ db, caller }, { id, search }) => {
    const [visible, people] = await db.batch([
      queries.countVisibleTasks(caller, id),
      queries.listMentionablePeople(caller, id, listSpellings(search.trim()), PEOPLE_SUGGESTED_MAX),
    ]);
    if (visible === 0) throw taskNotFoundError(id);
    return { people };
  },
);

function listSpellings(text: string): string[] {
  const [first = ''] = text;
  const capital = first.toUpperCase() + text.slice(first.length);
  return [...new Set([text, text.toLowerCase(), text.toUpperCase(), capital])];
}

export const namePeople = defineOperation(
  {
    name: 'namePeople',
    summary: 'Get the names of current and former members by id',
    access: 'session',
    capability: 'seeReference',
    effect: 'read',
    input: z.strictObject({ ids: z.array(personId) }),
    output: z.object({ people: z.array(z.object({ id: personId, name: personName })) }),
  },
  async ({ db, caller }, { ids }) => {
    const [people] = await db.batch([queries.listMemberNames(caller, ids.slice(0, NAMES_MAX))]);
    return { people };
  },
);
