/** What the history of a task tells. */
export const activityTypes = [
  'created',
  'status_changed',
  'assignee_changed',
  'priority_changed',
  'name_changed',
  'description_changed',
  'start_date_changed',
  'deadline_changed',
  'estimate_changed',
  'comment_added',
  'comment_edited',
  'comment_removed',
  'attachment_added',
  'attachment_removed',
  'archived',
  'unarchived',
  'duplicated',
] as const;
export type ActivityType = (typeof activityTypes)[number];
