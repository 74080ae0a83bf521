import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { selectIdsInOrder } from '../../kernel/sql/database.ts';
import { findFieldContext, listDefinitions } from './custom-fields.queries.ts';
import { throwUnknownFieldFilter } from './field-filter.policy.ts';
import { toFieldKey } from './field-values.ts';

/**
 * For agents, which refer to fields, options and people by name. Throws 400 for an unknown field. Returns unknown
 * options and people unchanged, so that the filter rejects them.
 */
export const resolveFieldFilter = defineOperation(
  {
    name: 'resolveFieldFilter',
    summary: 'Find the ids of custom fields, options and people by their names',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: z.strictObject({
      fields: z.record(z.string(), z.union([z.string().max(254), z.number(), z.boolean()])),
    }),
    output: z.object({ customFields: z.record(z.string(), z.string()) }),
  },
  async ({ db, caller }, { fields }) => {
    const texts = Object.values(fields).filter((value) => typeof value === 'string');
    const [definitions, { people }] = await db.batch([
      listDefinitions(caller),
      findFieldContext(caller, { projects: selectIdsInOrder([]), people: texts, allowsNames: true }),
    ]);
    const entries = Object.entries(fields).map(([name, value]) => {
      const text = String(value).toLowerCase();
      const field =
        definitions.find(({ id }) => toFieldKey(id) === name) ??
        definitions.find((each) => each.name.toLowerCase() === name.toLowerCase()) ??
        throwUnknownFieldFilter(name);
      const option = field.options.find((each) => each.name.toLowerCase() === text)?.id;
      const matchesPerson = (person: { name: string; email: string }) =>
        person.name.toLowerCase() === text || person.email.toLowerCase() === text;
      const person = field.type === 'person' ? people.find(matchesPerson)?.id : undefined;
      return [toFieldKey(field.id), String(option ?? person ?? value)] as const;
    });
    return { customFields: Object.fromEntries(entries) };
  },
);
