import type { Caller } from '../../kernel/access/access.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { SQL, Statement } from '../../kernel/sql/database.ts';
import { assertFieldsUnchanged, type FieldContext, findFieldContext } from './custom-fields.queries.ts';
import type { CustomFieldsInput } from './custom-fields.schema.ts';

interface WithValues {
  customFields?: CustomFieldsInput | undefined;
}

export function buildContextReads(
  { caller, via }: Pick<Context, 'caller' | 'via'>,
  items: readonly WithValues[],
  projects: SQL,
): readonly [] | readonly [Statement<FieldContext>] {
  const sent = items.flatMap(({ customFields }) => Object.values(customFields ?? {}));
  if (!items.some(({ customFields }) => customFields !== undefined)) return [];
  const people = [...new Set(sent.filter((value) => typeof value === 'string'))].filter(isPersonLike);
  return [findFieldContext(caller, { projects, people, allowsNames: via === 'mcp' })];
}

export function findFieldsOfProjects(caller: Caller, projects: SQL): Statement<FieldContext> {
  return findFieldContext(caller, { projects, people: [], allowsNames: false });
}

const PERSON_CHARACTERS_MAX = 254;
const isPersonLike = (text: string) => text.length <= PERSON_CHARACTERS_MAX;

export function assertContextUnchanged(
  { caller }: Pick<Context, 'caller'>,
  context: FieldContext | null,
): Statement<void>[] {
  return context === null ? [] : [assertFieldsUnchanged(caller, context)];
}

export function separateContext<T extends readonly unknown[]>(
  results: readonly (T | FieldContext)[],
): { lists: readonly T[]; fields: FieldContext | null } {
  const isList = (result: T | FieldContext): result is T => Array.isArray(result);
  const isContext = (result: T | FieldContext): result is FieldContext => !isList(result);
  return { lists: results.filter(isList), fields: results.find(isContext) ?? null };
}
