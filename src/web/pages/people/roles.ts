export const roleOptions = [
  ['admin', 'Admin'],
  ['lead', 'Lead'],
  ['member', 'Member'],
  ['client', 'Client'],
] as const;

export const roleLabels: Readonly<Record<string, string>> = {
  owner: 'Owner',
  ...Object.fromEntries(roleOptions),
};

export const roleDescriptions = [
  ['admin', 'Sees everything, and manages people, projects and settings.'],
  ['lead', 'Creates projects, and invites members and clients to them.'],
  ['member', 'Works in the projects they join, and creates projects.'],
  ['client', 'Sees only projects they were added to, and tasks they follow or are assigned to.'],
] as const;
