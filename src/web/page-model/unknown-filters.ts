/* What the control of a filter says where nothing is found by what the address names. */

export const unknownPerson = {
  filter: 'assignee',
  says: 'Nobody of that id is here, so the list is of everyone.',
} as const;

export const unknownProject = {
  filter: 'project',
  says: 'There is no such project, or it is not yours to see. These are of every project.',
} as const;
