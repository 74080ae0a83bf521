import type { Context } from '../../kernel/operation/operation.ts';
import { splitIntoBatches } from '../../tasks/comment-contents/long-contents.ts';
import { queryCallerCells } from './caller-cells.ts';
import { listNotificationsWithFullComments, type NotificationRow } from './notifications.queries.ts';
import { fromPublicId, toPublicId } from './public-id.ts';

export async function readLongComments(
  ctx: Context,
  page: readonly NotificationRow[],
): Promise<ReadonlyMap<number, NotificationRow>> {
  const whole = new Map<number, NotificationRow>();
  const long = page.flatMap(({ id, comment_bytes, comment_content }) =>
    comment_bytes !== null && comment_content === null ? [{ id, bytes: comment_bytes }] : [],
  );
  if (long.length === 0) return whole;
  await queryCallerCells(ctx, async (db, cell) => {
    const here = long.flatMap(({ id, bytes }) => {
      const place = fromPublicId(id);
      return place.cell === cell ? [{ id: place.local, bytes }] : [];
    });
    for (const ids of splitIntoBatches(here)) {
      const [rows] = await db.batch([listNotificationsWithFullComments(ctx.caller.userId, ids)]);
      for (const row of rows) {
        const id = toPublicId(row.id, cell);
        whole.set(id, { ...row, id });
      }
    }
  });
  return whole;
}
