import * as z from 'zod';
import { CANDIDATES_READ_MAX } from '../../kernel/lists/bounded-count.ts';
import { firstRowsLimit, toFirstRange } from '../../kernel/lists/pagination.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { readLongContents } from '../../tasks/comment-contents/long-contents.ts';
import { mentionedPeople, readMentionedPeople } from '../../tasks/mentions/mentioned-people.ts';
import { listNewestMatches } from './comment-search.queries.ts';
import {
  type DashboardCommentRow,
  listDashboardComments as selectComments,
} from './dashboard-comments.queries.ts';
import { dashboardComment, dashboardCommentsInput } from './dashboard-comments.schema.ts';
import { toDashboardComment } from './dashboard-comments.ts';

/** Returns no exact total, because counting would read a row per project (docs/adr/0009). */
export const listLatestComments = defineOperation(
  {
    name: 'listLatestComments',
    summary: 'List the latest comments on the dashboard',
    description: 'A search finds only the newest matches.',
    access: 'session',
    capability: 'seeDashboardComments',
    effect: 'read',
    input: dashboardCommentsInput.omit({ offset: true, cursor: true }).extend({ limit: firstRowsLimit }),
    output: z.object({
      data: z.array(dashboardComment),
      people: mentionedPeople,
      /** True if older matches may be missing even though the list isn't full. */
      isCut: z.boolean(),
    }),
  },
  async ({ db, caller, reach }, { limit, search, ...scope }) => {
    if (reach === 'none') return { data: [], people: [], isCut: false };
    const filter = { ...scope, reach };
    const show = async (rows: readonly DashboardCommentRow[]) => ({
      data: (await readLongContents(db, caller, rows)).map(toDashboardComment),
      people: await readMentionedPeople(db, caller, rows),
    });
    if (search) {
      const [rows, candidates] = await db.batch(
        listNewestMatches({ caller, filter, text: search }, limit, CANDIDATES_READ_MAX.comments),
      );
      return {
        ...(await show(rows)),
        isCut: rows.length < limit && candidates >= CANDIDATES_READ_MAX.comments,
      };
    }
    const [rows] = await db.batch([selectComments(caller, filter, toFirstRange(limit))]);
    return { ...(await show(rows)), isCut: false };
  },
);
