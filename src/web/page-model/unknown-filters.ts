/* What the control of a filter says where nothing is found by what the address names. */

export const unknownPerson = {
  filter: 'assignee',
  says: 'Nobody of that id is here.',
} as const;

export const unknownProject = {
  filter: 'project',
  says: 'There is no such project, or it is not yours to see.',
} as const;

export const unknownTeam = { filter: 'team', says: 'There is no such team.' } as const;
