import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: REST responses are validated against the contract.
export type Rest = any;

export const rowOf = (task: Rest) => ({
  id: task.id,
  name: task.name,
  status: task.status,
  priority: task.priority,
  ...(task.assignee && { assignee: task.assignee.name }),
  project: task.project.name,
  ...(task.deadline && { deadline: task.deadline }),
  ...(task.isArchived && { isArchived: true }),
});
export const pageOf = (show: (item: Rest) => object) => (body: Rest) => ({
  data: body.data.map(show),
  total: body.meta.total,
  nextCursor: body.meta.hasMore ? expect.any(String) : null,
});
export const only =
  (...names: string[]) =>
  (item: Rest) =>
    Object.fromEntries(names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));
export const meetingOf = (item: Rest) => ({
  ...only('id', 'name', 'project', 'date', 'time', 'duration', 'meetingLink', 'location', 'recurrence')(item),
  participants: item.participants.map(only('name', 'taskId', 'status')),
});
export const one = (show: (item: Rest) => object) => (body: Rest) => ({
  data: [show(body)],
  total: 1,
  nextCursor: null,
});
export const same = (body: Rest) => body;
