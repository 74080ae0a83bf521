import type { EventType } from '../../events/log/event-types.ts';
import { type FieldName, fields } from '../field-values.ts';
import type { taskFields } from '../fields.ts';

type FieldEntryType = {
  [F in FieldName]: (typeof taskFields)[F] extends { entry: infer E extends string } ? E : never;
}[FieldName];

const recordedFields = fields
  .filter(({ entry }) => entry !== undefined)
  .toSorted((one, other) => one.place - other.place);
const historyTypeByPart = {
  checklist: 'checklist_changed',
  subtasks: 'subtasks_changed',
  recurrence: 'recurrence_changed',
  relations: 'relations_changed',
} as const;
type PartEntryType = (typeof historyTypeByPart)[keyof typeof historyTypeByPart];
export const historyTypeByField: Readonly<Record<string, FieldEntryType | PartEntryType>> = {
  ...Object.fromEntries(recordedFields.map(({ name, entry }) => [name, entry as FieldEntryType])),
  ...historyTypeByPart,
};
export const historyPositions = {
  ...Object.fromEntries(recordedFields.map(({ name, place }) => [name, place])),
  ...Object.fromEntries(Object.keys(historyTypeByPart).map((part) => [part, 0])),
};

/** Excludes `task.updated`, which has a separate entry for each changed field. */
export const historyTypeByEvent = {
  'task.created': 'created',
  'task.duplicated': 'duplicated',
  'task.archived': 'archived',
  'task.unarchived': 'unarchived',
  'task.moved': 'moved',
  'task.deleted': 'deleted',
  'task.restored': 'restored',
  'comment.created': 'comment_added',
  'comment.updated': 'comment_edited',
  'comment.deleted': 'comment_removed',
  'attachment.created': 'attachment_added',
  'attachment.deleted': 'attachment_removed',
} as const satisfies Partial<Record<EventType, string>>;

export const activityTypes = [
  ...Object.values(historyTypeByField),
  ...Object.values(historyTypeByEvent),
] as const;
export type ActivityType = (typeof activityTypes)[number];
