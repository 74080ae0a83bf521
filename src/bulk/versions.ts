import { entityTag, namesTag, preconditionFailed } from '../kernel/conditional.ts';
import { idsInOrder, type Statement } from '../kernel/database.ts';
import { shapeAnswer } from '../kernel/execute/shape.ts';
import type { Context } from '../kernel/operation.ts';
import { assertVersions, listVersions } from '../task-model/tasks.queries.ts';
import { taskDetail } from '../task-model/tasks.schema.ts';
import type { EditInput } from './bulk.schema.ts';
import { readDetails } from './details.ts';

export interface Versions {
  /** Throws 412 where the task is another version than the edit means. */
  require: (edit: EditInput) => void;
  /** Undoes the batch if one of the versions went meanwhile. */
  stillHold: Statement<void>[];
}

/** What `ifVersion` of some edits compares with: the ETags of the tasks, as GET /tasks/{id} answers them. */
export async function versionsOf(ctx: Context, edits: readonly EditInput[]): Promise<Versions> {
  const ids = edits.filter(({ ifVersion }) => ifVersion !== undefined).map(({ id }) => id);
  if (ids.length === 0) return { require: () => undefined, stillHold: [] };
  // The numbers come first, so that they catch a change between them and the answers.
  const [numbers] = await ctx.db.batch([listVersions(ctx.caller, ids)]);
  const details = await readDetails(ctx, idsInOrder(ids), ids.length);
  return {
    require({ id, ifVersion }) {
      const detail = details.get(id);
      if (ifVersion === undefined || !detail) return;
      const tag = entityTag(JSON.stringify(shapeAnswer(taskDetail, detail)), ctx.caller);
      if (!namesTag(ifVersion, tag)) throw preconditionFailed();
    },
    stillHold: [assertVersions(ctx.caller, numbers)],
  };
}
