import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { SQL, Statement } from '../../kernel/sql/database.ts';
import { assertFieldsUnchanged, type FieldContext, findFieldContext } from './custom-fields.queries.ts';
import type { CustomFieldsInput } from './custom-fields.schema.ts';

interface ItemWithFieldValues {
  customFields?: CustomFieldsInput | undefined;
}

export function findFieldContextForItems(
  { caller, via }: Pick<Context, 'caller' | 'via'>,
  items: readonly ItemWithFieldValues[],
  projects: SQL,
): Statement<FieldContext> | null {
  const sent = items.flatMap(({ customFields }) => Object.values(customFields ?? {}));
  if (!items.some(({ customFields }) => customFields !== undefined)) return null;
  const people = [...new Set(sent.filter((value) => typeof value === 'string'))].filter(canIdentifyPerson);
  return findFieldContext(caller, { projects, people, allowsNames: via === 'mcp' });
}

export function findFieldContextForProjects(caller: Caller, projects: SQL): Statement<FieldContext> {
  return findFieldContext(caller, { projects, people: [], allowsNames: false });
}

const PERSON_REFERENCE_CHARACTERS_MAX = 254;
const canIdentifyPerson = (text: string) => text.length <= PERSON_REFERENCE_CHARACTERS_MAX;

export function assertContextUnchanged(
  { caller }: Pick<Context, 'caller'>,
  context: FieldContext | null,
): Statement<void>[] {
  return context === null ? [] : [assertFieldsUnchanged(caller, context)];
}
