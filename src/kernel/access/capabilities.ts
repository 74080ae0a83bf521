import type { Caller, Role } from './access.ts';

/**
 * How far a role reaches: `all` to the whole workspace; `joined` to the projects the person created or is a member of,
 * and to tasks that they follow or are assigned; `teams` to those projects and to the people of their teams; `self` to
 * those projects and to themselves; `own` to what they made or what is theirs; `none` to nothing. Of meetings to plan,
 * `recurring` means every kind, and `single` those without a recurrence.
 */
export type Reach = 'all' | 'joined' | 'teams' | 'self' | 'own' | 'recurring' | 'single' | 'none';

/**
 * Who may do what (docs/contract.md#who-sees-what). Every operation names its row and is handed the cell of its caller
 * as `ctx.reach`; conditions that many operations share ask `reachOf`. test/contract/roles.test.ts states the rules in
 * words and holds the table and the answers against them.
 */
export const capabilities = {
  /** Read projects with their people and files, and add tasks and files to them. */
  seeProjects: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'joined' },
  /** Whoever sees a task may write it. */
  seeTasks: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'joined' },
  removeComments: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'own' },
  /** `own` includes the files of one's own projects. */
  removeFiles: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'own' },
  listMeetings: { owner: 'all', admin: 'all', lead: 'joined', member: 'joined', client: 'joined' },
  seeMeetings: { owner: 'all', admin: 'all', lead: 'all', member: 'joined', client: 'joined' },
  /** Besides, planning and moving a meeting takes membership of its project, whatever the role. */
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
  /** Hear of changes to what one may see (src/events/feed/events.queries.ts says which). */
  followEvents: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'joined' },
  /** Webhooks: seeing, pausing and deleting them; everything else is up to whoever made one. */
  manageWebhooks: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'none' },
  /** People, teams, statuses, categories and types. */
  seeReference: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'all' },
  createProjects: { owner: 'all', admin: 'all', lead: 'all', member: 'all', client: 'none' },
  /** Name, description, status and people of a project; `own` are those that one leads. */
  changeProjects: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'none' },
  deleteProjects: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  /** Name, time zone and working hours. */
  changeWorkspace: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  /** Hand the workspace over, and delete it. */
  ownWorkspace: { owner: 'all', admin: 'none', lead: 'none', member: 'none', client: 'none' },
  /** `own`: members and clients, into projects that one leads. Nobody gives a role above their own. */
  invitePeople: { owner: 'all', admin: 'all', lead: 'own', member: 'none', client: 'none' },
  /** Change roles of people, and take people out. */
  managePeople: { owner: 'all', admin: 'all', lead: 'none', member: 'none', client: 'none' },
  /** `own`: who is in the teams that one leads. */
  manageTeams: { owner: 'all', admin: 'all', lead: 'own', member: 'none', client: 'none' },
  /** Categories and types of tasks, with their default hours. */
  manageCategories: { owner: 'all', admin: 'all', lead: 'all', member: 'none', client: 'none' },
  /** Give filters a name and offer them to everybody; `self` keeps them to itself, `all` changes those of others, too. */
  saveFilters: { owner: 'all', admin: 'all', lead: 'own', member: 'own', client: 'self' },
  /** One's account, keys, notifications, time, uploads under way, and the wording of one's comments. */
  manageOwn: { owner: 'own', admin: 'own', lead: 'own', member: 'own', client: 'own' },
} as const satisfies Record<string, Record<Role, Reach>>;
export type Capability = keyof typeof capabilities;

/** How far the role of somebody reaches, apart from the operation that they called. */
export function reachOf({ role }: Pick<Caller, 'role'>, capability: Capability): Reach {
  return capabilities[capability][role];
}
