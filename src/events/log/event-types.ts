/**
 * Maps each event type to the field that contains the id of its item, or to null if the event is about the task or
 * project itself (docs/events.md).
 */
export const eventTypes = {
  'task.created': null,
  'task.updated': null,
  'task.archived': null,
  'task.unarchived': null,
  'task.duplicated': 'copiedFrom',
  'task.moved': null,
  'task.deleted': null,
  'task.restored': null,
  'comment.created': 'comment',
  'comment.updated': 'comment',
  'comment.deleted': 'comment',
  'reaction.added': 'comment',
  'reaction.removed': 'comment',
  'attachment.created': 'attachment',
  'attachment.deleted': 'attachment',
  'meeting.created': 'meeting',
  'meeting.updated': 'meeting',
  'meeting.cancelled': 'meeting',
  'time_entry.started': 'timeEntry',
  'time_entry.stopped': 'timeEntry',
  'time_entry.created': 'timeEntry',
  'time_entry.updated': 'timeEntry',
  'time_entry.deleted': 'timeEntry',
  'project.created': null,
  'project.updated': null,
  'project.deleted': null,
  'project.member_added': 'member',
  'project.member_removed': 'member',
  'member.joined': 'member',
  'member.updated': 'member',
  'member.removed': 'member',
  'team.created': 'team',
  'team.updated': 'team',
  'team.deleted': 'team',
  'category.created': 'category',
  'category.updated': 'category',
  'type.created': 'taskType',
  'type.updated': 'taskType',
  'label.updated': null,
  'custom_field.created': 'customField',
  'custom_field.updated': 'customField',
  'custom_field.deleted': 'customField',
  'workspace.updated': null,
  'template.created': 'template',
  'template.updated': 'template',
  'template.deleted': 'template',
} as const satisfies Record<string, string | null>;
export type EventType = keyof typeof eventTypes;

export const entitiesWithTextIds: readonly string[] = ['member', 'workspace', 'customField'];

/** Null if a value is too long to be stored. */
export type FieldChange = { readonly from: unknown; readonly to: unknown } | null;
