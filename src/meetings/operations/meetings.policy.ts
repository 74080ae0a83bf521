import { AppError, forbidden, invalidRequest, notFound } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { MeetingChanges, MeetingRow } from './meetings.queries.ts';
import { DESCRIPTION_BYTES_MAX, type MeetingUpdateInput } from './meetings.schema.ts';

const NAMED_MAX = 5;

export function meetingNotFound(id: number): AppError {
  return notFound('meeting', id, ({ call }) => call('listMeetings'));
}

export function requireJoined(project: { id: number; isJoined: boolean }) {
  if (project.isJoined) return;
  throw forbidden(
    `Planning meetings of project ${project.id} takes membership of it, whatever the role; ask its owner to add you.`,
  );
}

export function requireMayRecur({ caller, reach }: Context) {
  if (reach !== 'recurring') {
    throw forbidden(
      `A recurring meeting takes the role lead, admin or owner; yours is ${caller.role}. Leave recurrence out, or ask one of them.`,
    );
  }
  if (caller.plan !== 'free') return;
  throw new AppError(
    'forbidden_plan',
    'The plan of this workspace does not include recurring meetings. Leave recurrence out, or move the workspace to the plan medium or pro.',
  );
}

export function requireMayCancel({ caller, reach }: Context, id: number) {
  if (reach === 'all') return;
  throw forbidden(
    `Cancelling meeting ${id} takes the role lead, admin or owner; yours is ${caller.role}. Ask one of them.`,
  );
}

/** @param found user ids of those among `wanted` who are members of the project. */
export function requireMembers(projectId: number, wanted: readonly string[], found: readonly string[]) {
  const missing = wanted.filter((id) => !found.includes(id));
  if (missing.length === 0) return;
  const named = missing.slice(0, NAMED_MAX).map((id) => `'${id}'`);
  const rest = missing.length > NAMED_MAX ? ` and ${missing.length - NAMED_MAX} more` : '';
  throw invalidRequest(
    ({ call, field }) =>
      `${field('participantIds')} must be members of project ${projectId}; ${named.join(', ')}${rest} are not. ${call('listProjectMembers', { id: projectId })} lists who is.`,
  );
}

/** Each participant's task holds the description, and all tasks go to the database in one value of at most 2 MB. */
export function requireStorable(description: string | null) {
  const bytes = new TextEncoder().encode(JSON.stringify(description)).length;
  if (bytes <= DESCRIPTION_BYTES_MAX) return;
  throw invalidRequest(
    `description takes ${bytes} bytes once its markup is made safe; at most ${DESCRIPTION_BYTES_MAX} are allowed. Shorten it.`,
  );
}

export type RealChanges = Pick<MeetingChanges, 'date' | 'time' | 'link' | 'location'>;

/** Drops what is already as it is wanted: only real changes are written and told. */
export function realChanges(found: MeetingRow, input: Omit<MeetingUpdateInput, 'id'>): RealChanges {
  const { date, time, meetingLink, location } = input;
  return {
    ...(date !== undefined && date !== found.date && { date }),
    ...(time !== undefined && time !== found.time && { time }),
    ...(meetingLink !== undefined && meetingLink !== found.link && { link: meetingLink }),
    ...(location !== undefined && location !== found.location && { location }),
  };
}
