import { isBotId } from '../../kernel/access/bot-ids.queries.ts';
import { AppError, forbiddenError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import type { MeetingChanges, MeetingRow } from './meetings.queries.ts';
import { DESCRIPTION_BYTES_MAX, type MeetingUpdateInput } from './meetings.schema.ts';

const MISSING_PEOPLE_LISTED_MAX = 5;

export function meetingNotFoundError(id: number): AppError {
  return notFoundError('meeting', id, ({ call }) => call('listMeetings'));
}

export function requireProjectMembership(project: { id: number; isJoined: boolean }) {
  if (project.isJoined) return;
  throw forbiddenError(
    `Only members of project ${project.id} can schedule its meetings, whatever their role. Ask the project lead to add you.`,
  );
}

export function requireRecurrencePermission({ caller, reach }: Context) {
  if (reach !== 'recurring') {
    throw forbiddenError(
      `Only leads, admins and owners can create recurring meetings; your role is ${caller.role}. Omit recurrence, or ask one of them.`,
    );
  }
  if (caller.plan !== 'free') return;
  throw new AppError(
    'forbidden_plan',
    "This workspace's plan doesn't include recurring meetings. Omit recurrence, or upgrade to the Medium or Pro plan.",
    { field: 'recurrence' },
  );
}

export function requireCancelPermission({ caller, reach }: Context, id: number) {
  if (reach === 'all') return;
  throw forbiddenError(
    `Only leads, admins and owners can cancel meeting ${id}; your role is ${caller.role}. Ask one of them.`,
  );
}

export function requireProjectMembers(
  projectId: number,
  wanted: readonly string[],
  found: readonly string[],
) {
  if (wanted.some(isBotId)) {
    throw invalidRequestError(
      ({ field }) => `${field('participantIds')} must be people; bots can't take part in meetings.`,
    );
  }
  const missing = wanted.filter((id) => !found.includes(id));
  if (missing.length === 0) return;
  const named = missing.slice(0, MISSING_PEOPLE_LISTED_MAX).map((id) => `'${id}'`);
  const rest =
    missing.length > MISSING_PEOPLE_LISTED_MAX
      ? ` and ${missing.length - MISSING_PEOPLE_LISTED_MAX} more`
      : '';
  throw invalidRequestError(
    ({ call, field }) =>
      `${field('participantIds')} must be members of project ${projectId}; got ${named.join(', ')}${rest}. ${call('listProjectMembers', { id: projectId })} lists the members.`,
  );
}

/**
 * Each participant's task gets a copy of the description, and a batch passes all tasks as a single value, which D1
 * limits to 2 MB.
 */
export function requireDescriptionSize(description: string | null) {
  const bytes = new TextEncoder().encode(JSON.stringify(description)).length;
  if (bytes <= DESCRIPTION_BYTES_MAX) return;
  throw invalidRequestError(
    `description must be at most ${DESCRIPTION_BYTES_MAX} bytes after unsafe markup is removed; got ${bytes}. Shorten it.`,
    'description',
  );
}

export type EffectiveChanges = Pick<MeetingChanges, 'date' | 'time' | 'link' | 'location'>;

export function getEffectiveChanges(
  found: MeetingRow,
  input: Omit<MeetingUpdateInput, 'id'>,
): EffectiveChanges {
  const { date, time, meetingLink, location } = input;
  return {
    ...(date !== undefined && date !== found.date && { date }),
    ...(time !== undefined && time !== found.time && { time }),
    ...(meetingLink !== undefined && meetingLink !== found.link && { link: meetingLink }),
    ...(location !== undefined && location !== found.location && { location }),
  };
}
