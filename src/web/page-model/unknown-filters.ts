import { listAssigneeIds } from '../../tasks/saved-filters/task-filter.ts';

export const unknownPersonFilter = {
  filter: 'assignee',
  message: 'No such person in this workspace.',
} as const;

/** For a page that reads the names of the people in the filter. */
export const unnamedPersonFilter = {
  ...unknownPersonFilter,
  isIn: ({ people }: { people: readonly { id: string }[] }, assignee: string) =>
    listAssigneeIds({ assignee: assignee.split(',') }).every((id) =>
      people.some((person) => person.id === id),
    ),
};

export const unknownProjectFilter = {
  filter: 'project',
  message: "This project doesn't exist, or you don't have access to it.",
} as const;

export const tooManyTagsFilter = {
  filter: 'tag',
  message: 'Too many tasks have tags to search them all. Filter by project as well.',
} as const;

export const unknownTeamFilter = { filter: 'team', message: "This team doesn't exist." } as const;

export const unusableFieldFilter = {
  filter: 'fields',
  message: 'This field no longer exists, or this list is too long to filter. Choose a project or a status.',
} as const;
