import { toTimestamp } from '../../kernel/operation/schema.ts';
import { taskStatuses } from '../../tasks/model/tasks.schema.ts';
import type { MeetingRow, ParticipantRow } from './meetings.queries.ts';
import type { Meeting } from './meetings.schema.ts';

export function toMeeting(row: MeetingRow): Meeting {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    project: { id: row.project_id, name: row.project_name },
    date: row.date,
    time: row.time,
    duration: toDuration(row.duration_minutes),
    meetingLink: row.link,
    location: row.location,
    recurrence: row.recurrence,
    participants: (JSON.parse(row.participants) as ParticipantRow[]).map(toParticipant),
    createdBy: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
    createdAt: toTimestamp(row.created_at),
  };
}

function toDuration(minutes: number) {
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}

function toParticipant([id, name, email, taskId, status]: ParticipantRow) {
  return { id, name, email, taskId, status: taskStatuses[status] ?? 'todo' };
}
