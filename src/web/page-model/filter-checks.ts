import { listAssigneeIds } from '../../tasks/saved-filters/task-filter.ts';

export const unknownAssigneeCheck = {
  filter: 'assignee',
  message: "This person isn't in this workspace.",
} as const;

/** For pages that read the people in the filter. Anyone missing from the result isn't in this workspace. */
export const unnamedAssigneeCheck = {
  ...unknownAssigneeCheck,
  isIn: ({ people }: { people: readonly { id: string }[] }, assignee: string) =>
    listAssigneeIds({ assignee: assignee.split(',') }).every((id) =>
      people.some((person) => person.id === id),
    ),
};

export const unknownProjectCheck = {
  filter: 'project',
  message: "This project doesn't exist, or you don't have access to it.",
} as const;

export const tagSearchLimitCheck = {
  filter: 'tag',
  message: 'This workspace has too many tasks with tags to search all of them. Choose a project as well.',
} as const;

export const unknownTeamCheck = {
  filter: 'team',
  message: "This team doesn't exist. Choose another team.",
} as const;

export const fieldFilterCheck = {
  filter: 'fields',
  message:
    'This field no longer exists, or this list is too long to filter by a custom field. Choose a project or a status.',
} as const;
