export const unknownPersonFilter = {
  filter: 'assignee',
  message: 'No such person in this workspace.',
} as const;

export const unknownProjectFilter = {
  filter: 'project',
  message: "This project doesn't exist, or you don't have access to it.",
} as const;

export const tooManyTagsFilter = {
  filter: 'tag',
  message: 'Too many tasks have tags. Select a project, too.',
} as const;

export const unknownTeamFilter = { filter: 'team', message: "This team doesn't exist." } as const;

export const unusableFieldFilter = {
  filter: 'fields',
  message: 'This field no longer exists, or this list is too long to filter. Choose a project or a status.',
} as const;
