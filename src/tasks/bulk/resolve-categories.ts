import type { Context } from '../../kernel/operation/operation.ts';
import { requireCategoryAndType } from '../operations/task-references.ts';
import type { AgentEditInput } from './bulk.schema.ts';
import { listTaskReferences } from './create.queries.ts';
import { type BulkItem, getAcceptedValues, mapItems } from './items.ts';

/** A type determines the category, and a new category clears the type unless the edit contains both. */
export async function resolveCategories(
  ctx: Context,
  items: readonly BulkItem<AgentEditInput>[],
): Promise<readonly BulkItem<AgentEditInput>[]> {
  const categorized = getAcceptedValues(items).filter(setsCategory);
  if (categorized.length === 0) return items;
  const wanted = categorized.map(({ categoryId, typeId }) => ({ projectId: 0, categoryId, typeId }));
  const [found] = await ctx.db.batch([listTaskReferences(ctx.caller, wanted)]);
  let next = 0;
  return mapItems(items, (edit) => {
    if (!setsCategory(edit)) return edit;
    const references = found[next++] ?? { category: null, type_category: null };
    return { ...edit, categoryId: requireCategoryAndType(references, edit), typeId: edit.typeId ?? null };
  });
}

function setsCategory({ categoryId, typeId }: AgentEditInput): boolean {
  return categoryId !== undefined || (typeId !== undefined && typeId !== null);
}
