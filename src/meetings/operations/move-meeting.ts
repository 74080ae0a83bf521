import * as z from 'zod';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { civilDate } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { listBusyTimes } from './busy-times.ts';
import { selectCalendarMeetings, toCalendarMeetings } from './calendar.ts';
import { buildMeetingChange } from './meeting-changes.ts';
import { getEffectiveChanges, meetingNotFoundError, requireProjectMembership } from './meetings.policy.ts';
import { toMeeting } from './meetings.present.ts';
import { findMeeting } from './meetings.queries.ts';
import { meeting, meetingUpdateInput, toTotalMinutes } from './meetings.schema.ts';

/** Used by the web app. `updateMeeting` in `/v1` does the same, but doesn't report conflicts. */
export const moveMeeting = defineOperation(
  {
    name: 'moveMeeting',
    summary: "Move a meeting's latest occurrence, and report conflicts",
    access: 'session',
    capability: 'seeMeetings',
    effect: 'write',
    input: meetingUpdateInput,
    output: z.object({
      meeting,
      was: z.object({ date: civilDate, time: z.string() }).nullable(),
      clashes: z.array(z.object({ name: z.string(), text: z.string() })),
    }),
  },
  async (ctx, { id, ...input }) => {
    const { db, caller } = ctx;
    const [found] = await db.batch([findMeeting(caller, toIdParameter(id))]);
    if (!found) throw meetingNotFoundError(id);
    requireProjectMembership({ id: found.project_id, isJoined: found.is_joined === 1 });
    requireCurrentSnapshot(
      ctx.snapshot,
      input,
      { ...found, meetingLink: found.link },
      { type: 'meeting.updated', id },
    );
    const changes = getEffectiveChanges(found, input);
    if (Object.keys(changes).length === 0) return { meeting: toMeeting(found), was: null, clashes: [] };
    const { date = found.date, time = found.time } = changes;
    const day = { from: date, to: date };
    const [changed, rows] = await db.writeThenRead(buildMeetingChange(ctx, found, changes), [
      findMeeting(caller, toIdParameter(id)),
      selectCalendarMeetings(ctx, day),
    ]);
    if (!changed) throw meetingNotFoundError(id);
    const moved = toMeeting(changed);
    const isMoved = date !== found.date || time !== found.time;
    const others = toCalendarMeetings(ctx, day, rows).filter((other) => other.id !== id);
    const busy = listBusyTimes(others, { date, time, minutes: toTotalMinutes(moved.duration) });
    const clashes = moved.participants.flatMap(({ id, name }) => {
      const texts = (busy.get(id) ?? []).filter(({ isClash }) => isClash).map(({ text }) => text);
      return texts.length > 0 ? [{ name, text: texts.join(', ') }] : [];
    });
    return {
      meeting: moved,
      was: isMoved ? { date: found.date, time: found.time } : null,
      clashes: isMoved ? clashes : [],
    };
  },
);
