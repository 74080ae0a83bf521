import type { Context } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import {
  buildChecklistStatements,
  type ChecklistEdit,
  mergeChecklistItems,
  replaceChecklistItems,
  toChecklist,
} from '../checklists/change-checklist.ts';
import { assertChecklistsUnchanged, listChecklists } from '../checklists/checklists.queries.ts';
import type { AgentEditInput } from './bulk.schema.ts';

export async function planChecklists(
  { db, caller }: Context,
  edits: readonly Pick<AgentEditInput, 'id' | 'checklist'>[],
): Promise<ChecklistEdit[]> {
  const wanted = new Map(edits.flatMap(({ id, checklist }) => (checklist ? [[id, checklist] as const] : [])));
  if (wanted.size === 0) return [];
  const [rows] = await db.batch([listChecklists(caller, [...wanted.keys()])]);
  return rows.flatMap((row) => {
    const before = toChecklist(row);
    const lines = mergeChecklistItems(before, wanted.get(row.task) ?? []);
    const isSame = JSON.stringify(lines) === JSON.stringify(before.lines);
    return isSame ? [] : [{ task: row.task, before, after: replaceChecklistItems(before, lines) }];
  });
}

export function buildAcceptedChecklistStatements(
  ctx: Context,
  edits: readonly { task: { id: number } }[],
  checklists: readonly ChecklistEdit[],
): Statement<void>[] {
  const ids = new Set(edits.map(({ task }) => task.id));
  const accepted = checklists.filter(({ task }) => ids.has(task));
  if (accepted.length === 0) return [];
  const versions = accepted.map(({ task, before }) => [task, before.version] as const);
  return [assertChecklistsUnchanged(ctx.caller, versions), ...buildChecklistStatements(ctx, accepted)];
}
