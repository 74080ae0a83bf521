import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: REST responses are validated against the contract.
export type RestValue = any;

export const toTaskRow = (task: RestValue) => ({
  id: task.id,
  name: task.name,
  status: task.status,
  priority: task.priority,
  ...(task.assignee && { assignee: task.assignee.name }),
  project: task.project.name,
  ...(task.deadline && { deadline: task.deadline }),
  ...(task.isArchived && { isArchived: true }),
});
export const toPage = (show: (item: RestValue) => object) => (body: RestValue) => ({
  data: body.data.map(show),
  total: body.meta.total,
  nextCursor: body.meta.hasMore ? expect.any(String) : null,
});
export const pickFields =
  (...names: string[]) =>
  (item: RestValue) =>
    Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));
export const toMeeting = (item: RestValue) => ({
  ...pickFields(
    'id',
    'name',
    'project',
    'date',
    'time',
    'duration',
    'meetingLink',
    'location',
    'recurrence',
  )(item),
  participants: item.participants.map(pickFields('name', 'taskId', 'status')),
});
export const toSingleItem = (show: (item: RestValue) => object) => (body: RestValue) => ({
  data: [show(body)],
  total: 1,
  nextCursor: null,
});
export const toSameValue = (body: RestValue) => body;
