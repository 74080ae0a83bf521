import type { Role } from './roles.ts';

/**
 * What a role can reach. `joined` means projects that the person created or joined, and tasks that they follow or are
 * assigned to. `self` means only themselves, and `teams` means themselves and the people in their teams. `own` means
 * items that they created or own, unless the capability says otherwise. For scheduling meetings, `recurring` allows
 * every meeting, and `single` allows only meetings without a recurrence.
 */
export type Reach = 'all' | 'joined' | 'teams' | 'self' | 'own' | 'recurring' | 'single' | 'none';

/** What each role can do (docs/contract.md#who-sees-what). In an operation, `ctx.reach` is the caller's reach. */
export const capabilities = {
  /** Read projects, including their people and files, and add tasks and files to them. */
  seeProjects: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'joined' },
  /** People who can see a task can edit it. */
  seeTasks: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'joined' },
  /** Delete and restore tasks. `own` means tasks in projects that the person leads. */
  deleteTasks: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'own' },
  removeComments: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'own' },
  /** `own` includes files in projects that the person leads. */
  removeFiles: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'own' },
  listMeetings: { owner: 'all', admin: 'all', lead: 'joined', member: 'joined', client: 'joined' },
  seeMeetings: { owner: 'all', admin: 'all', lead: 'all', member: 'joined', client: 'joined' },
  /** To schedule or move a meeting, people must also be members of its project, whatever their role. */
  scheduleMeetings: {
    owner: 'recurring',
    admin: 'recurring',
    lead: 'recurring',
    member: 'single',
    client: 'single',
  },
  cancelMeetings: { owner: 'all', admin: 'all', lead: 'all', member: 'none', client: 'none' },
  seeDashboard: { owner: 'all', admin: 'all', lead: 'teams', member: 'self', client: 'joined' },
  seeDashboardComments: { owner: 'all', admin: 'all', lead: 'teams', member: 'self', client: 'none' },
  seeWorkload: { owner: 'all', admin: 'all', lead: 'teams', member: 'self', client: 'none' },
  followEvents: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'joined' },
  /** List, create, pause and delete webhooks. Only a webhook's creator can change it in other ways. */
  manageWebhooks: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'none' },
  seeReference: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'all' },
  createProjects: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'none' },
  /** Change a project's name, description, status and people. `own` means projects that the person leads. */
  changeProjects: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'none' },
  deleteProjects: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  importTasks: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  /** Export the whole workspace. `own` allows people to export only their own data. */
  exportWorkspace: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'own' },
  changeWorkspace: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  ownWorkspace: { owner: 'all', admin: 'none', lead: 'none', member: 'none', client: 'none' },
  /**
   * `own` allows inviting members and clients to projects that the person leads. No one can grant a role above their
   * own.
   */
  invitePeople: { owner: 'all', admin: 'all', lead: 'own', member: 'none', client: 'none' },
  managePeople: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  readAudit: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  /** `own` allows changing the members of teams that the person leads. */
  manageTeams: { owner: 'all', admin: 'all', lead: 'own', member: 'none', client: 'none' },
  manageCategories: { owner: 'all', admin: 'all', lead: 'all', member: 'none', client: 'none' },
  /**
   * Save and share filters. `self` allows only private filters, and `all` also allows changing other people's filters.
   */
  saveFilters: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'self' },
  saveTemplates: { owner: 'all', admin: 'all', lead: 'all', member: 'own', client: 'none' },
  /** Manage the person's own account, keys, notifications, time entries, pending uploads and comments. */
  manageOwn: { owner: 'own', admin: 'own', lead: 'own', member: 'own', client: 'own' },
} as const satisfies Record<string, Record<Role, Reach>>;
export type Capability = keyof typeof capabilities;

export function getReach({ role }: { readonly role: Role }, capability: Capability): Reach {
  return capabilities[capability][role];
}
