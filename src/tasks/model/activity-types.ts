import type { EventType } from '../../events/log/event-types.ts';

/** The fields of a task whose changes its history tells, each with the entry that it makes, in the order of the entries. */
export const historyFields = {
  status: 'status_changed',
  assignee: 'assignee_changed',
  priority: 'priority_changed',
  name: 'name_changed',
  description: 'description_changed',
  startDate: 'start_date_changed',
  deadline: 'deadline_changed',
  customEstimatedHours: 'estimate_changed',
} as const;
export type HistoryField = keyof typeof historyFields;

/** The events that make one entry of the history, and which; `task.updated` makes one of each field that changed. */
export const historyEvents = {
  'task.created': 'created',
  'task.duplicated': 'duplicated',
  'task.archived': 'archived',
  'task.unarchived': 'unarchived',
  'comment.created': 'comment_added',
  'comment.updated': 'comment_edited',
  'comment.deleted': 'comment_removed',
  'attachment.created': 'attachment_added',
  'attachment.deleted': 'attachment_removed',
} as const satisfies Partial<Record<EventType, string>>;

/** What the history of a task tells. */
export const activityTypes = [...Object.values(historyFields), ...Object.values(historyEvents)] as const;
export type ActivityType = (typeof activityTypes)[number];
