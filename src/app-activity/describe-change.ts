import { fields } from '../tasks/field-values.ts';

const phrases: Readonly<Record<string, string>> = {
  'task.created': 'Created the task',
  'task.duplicated': 'Duplicated a task',
  'task.archived': 'Archived the task',
  'task.unarchived': 'Restored the task',
  'comment.created': 'Added a comment',
  'comment.updated': 'Edited a comment',
  'comment.deleted': 'Deleted a comment',
  'reaction.added': 'Reacted to a comment',
  'reaction.removed': 'Removed a reaction',
  'attachment.created': 'Added a file',
  'attachment.deleted': 'Deleted a file',
  'meeting.created': 'Created a meeting',
  'meeting.updated': 'Changed a meeting',
  'meeting.cancelled': 'Canceled a meeting',
  'time_entry.started': 'Started a timer',
  'time_entry.stopped': 'Stopped a timer',
  'time_entry.created': 'Logged time',
  'time_entry.updated': 'Changed logged time',
  'time_entry.deleted': 'Deleted logged time',
};

export function describeChange(type: string): string {
  return phrases[type] ?? type.replace('.', ' ').replaceAll('_', ' ');
}

export function describeField(name: string): string {
  if (name === 'isArchived') return 'Archived';
  const label = fields.find((field) => field.name === name)?.label;
  if (label !== undefined) return label;
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
