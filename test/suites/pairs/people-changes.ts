import { changeName } from '../../../src/accounts/own/change-profile.ts';
import { createWorkspace } from '../../../src/accounts/own/create-workspace.ts';
import { deleteAccount } from '../../../src/accounts/own/delete-account.ts';
import type { AnyOperation } from '../../../src/kernel/operation/operation.ts';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import {
  createProject,
  handOverProject,
  updateProject,
} from '../../../src/projects/operations/change-projects.ts';
import { addProjectMembers, removeProjectMember } from '../../../src/projects/operations/project-people.ts';
import { createCategory, updateCategory } from '../../../src/tasks/categories/change-categories.ts';
import { acceptInvitation } from '../../../src/workspaces/invitations/accept.ts';
import { invitePeople } from '../../../src/workspaces/invitations/invite.ts';
import { changeRole, handOverWorkspace } from '../../../src/workspaces/people/change-role.ts';
import { leaveWorkspace, removePerson } from '../../../src/workspaces/people/remove-person.ts';
import { updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { deleteWorkspace } from '../../../src/workspaces/settings/delete-workspace.ts';
import { createTeam, deleteTeam, updateTeam } from '../../../src/workspaces/teams/change-teams.ts';
import { removeTeamMember, setTeamMember } from '../../../src/workspaces/teams/team-people.ts';
import { runForAccount, signIn } from '../../support/accounts.ts';
import { runForm } from '../../support/forms.ts';
import { createEmailAddress, readMailedToken } from '../../support/people.ts';
import {
  addPerson,
  createTask,
  createProject as insertProject,
  createTeam as insertTeam,
  createWorkspace as insertWorkspace,
  type Person,
  type World,
} from '../../support/world.ts';

/** The people and objects that the people-related forms act on. New ones are created for each pair of forms. */
export interface PeopleAndObjects {
  readonly world: World;
  /** The lead of the project and the team, who is also assigned a task. */
  readonly person: Person;
  readonly owner: Person;
  readonly project: { readonly id: number; readonly name: string };
  readonly team: number;
  readonly subTeam: number;
  /** The token of an invitation for a person in another workspace. */
  readonly token: string;
  readonly guest: Person;
}

/** Adds a second owner, so that an owner can leave. */
export async function createPeopleAndObjects(world: World): Promise<PeopleAndObjects> {
  const { guest } = (await insertWorkspace({ members: { guest: 'owner' } })).people;
  const [person, owner] = [
    await addPerson(world, 'person', 'lead'),
    await addPerson(world, 'owner', 'owner'),
  ];
  const project = await insertProject(world, { owner: person, members: [owner, world.people.client] });
  const team = await insertTeam(world, { lead: person, members: [owner] });
  const subTeam = await insertTeam(world, { parent: team, members: [person] });
  await createTask(owner, project.id, { assigneeId: person.userId, deadline: '2026-12-01' });
  const input = { email: guest.email, role: 'member', projectIds: [project.id] };
  const invited = await runForm(owner.token, invitePeople, input);
  if (invited.status !== 200) throw new Error(`inviting returned ${invited.status}`);
  const token = await readMailedToken(guest.email, 'invitation');
  return { world, person, owner, project, team, subTeam, token, guest };
}

/** Each request runs up to two times, because one of two concurrent requests may fail. */
const ATTEMPTS = 2;
type CellBindings = Partial<Env>;
interface PeopleChange {
  readonly operation: string;
  readonly run: (company: PeopleAndObjects, cell: CellBindings) => Promise<{ status: number }>;
}

const runAsOwner = (
  operation: AnyOperation,
  input: (company: PeopleAndObjects) => Record<string, unknown>,
): PeopleChange => ({
  operation: operation.name,
  run: (company, cell) => runForm(company.owner.token, operation, input(company), cell, ATTEMPTS),
});
const runAsPerson = (
  operation: AnyOperation,
  input: (company: PeopleAndObjects) => Record<string, unknown> = () => ({}),
): PeopleChange => ({
  operation: operation.name,
  run: (company, cell) => runForm(company.person.token, operation, input(company), cell, ATTEMPTS),
});
const runAsAccount = (
  who: 'person' | 'guest',
  operation: AnyOperation,
  input: (company: PeopleAndObjects) => Record<string, unknown>,
): PeopleChange => ({
  operation: operation.name,
  run: async (company, cell) =>
    runForAccount(await signIn(company[who].userId), operation, input(company), cell),
});

/** Forms that change people, projects, teams, categories, workspaces and accounts, and can conflict with each other. */
export const peopleChanges: Record<string, PeopleChange> = {
  'role to client': runAsOwner(changeRole, ({ person }) => ({ userId: person.userId, role: 'client' })),
  'role to admin': runAsOwner(changeRole, ({ person }) => ({ userId: person.userId, role: 'admin' })),
  'remove the person': runAsOwner(removePerson, ({ person, world }) => ({
    userId: person.userId,
    heirId: world.people.member.userId,
  })),
  leave: runAsPerson(leaveWorkspace),
  'transfer the workspace': runAsOwner(handOverWorkspace, ({ person }) => ({ userId: person.userId })),
  'transfer the project': runAsPerson(handOverProject, ({ project, owner }) => ({
    id: project.id,
    userId: owner.userId,
  })),
  'transfer the project to the lead': runAsOwner(handOverProject, ({ project, world }) => ({
    id: project.id,
    userId: world.people.member.userId,
  })),
  'rename the project': runAsPerson(updateProject, ({ project }) => ({ id: project.id, name: 'Renamed' })),
  'delete the project': runAsOwner(deleteProject, ({ project }) => project),
  'new project': runAsPerson(createProject, () => ({ name: 'Another' })),
  'add to the project': runAsPerson(addProjectMembers, ({ project, world }) => ({
    id: project.id,
    userIds: [world.people.admin.userId],
  })),
  'remove from the project': runAsPerson(removeProjectMember, ({ project, owner }) => ({
    id: project.id,
    userId: owner.userId,
  })),
  'remove the client from the project': runAsOwner(removeProjectMember, ({ project, world }) => ({
    id: project.id,
    userId: world.people.client.userId,
  })),
  'lead of the sub-team': runAsOwner(setTeamMember, ({ subTeam, person }) => ({
    id: subTeam,
    userId: person.userId,
    role: 'lead',
  })),
  'remove from the team': runAsOwner(removeTeamMember, ({ team, person }) => ({
    id: team,
    userId: person.userId,
  })),
  'delete the team': runAsOwner(deleteTeam, ({ team }) => ({ id: team })),
  'swap the team and the sub-team': runAsOwner(updateTeam, ({ team, subTeam }) => ({
    id: team,
    parentId: subTeam,
  })),
  'detach the sub-team': runAsOwner(updateTeam, ({ subTeam }) => ({ id: subTeam, parentId: null })),
  'create a sub-team': runAsOwner(createTeam, ({ team }) => ({ name: 'Part', parentId: team })),
  'change the hours of a category': runAsOwner(updateCategory, ({ world }) => ({
    id: world.categories[0].id,
    defaultEstimatedHours: 3.5,
  })),
  'new category': runAsPerson(createCategory, () => ({ value: 'Copy', defaultEstimatedHours: null })),
  'time zone': runAsOwner(updateWorkspace, () => ({ timezone: 'Europe/Vienna' })),
  invite: runAsPerson(invitePeople, ({ project }) => ({
    email: createEmailAddress(),
    role: 'client',
    projectIds: [project.id],
  })),
  'accept the invitation': runAsAccount('guest', acceptInvitation, ({ token }) => ({ token })),
  'change the name': runAsAccount('person', changeName, () => ({ name: 'Another Name' })),
  'delete the account': runAsAccount('person', deleteAccount, ({ person }) => ({ email: person.email })),
  'second workspace': runAsAccount('person', createWorkspace, () => ({ name: 'Besides' })),
  'delete the workspace with a wrong name': runAsOwner(deleteWorkspace, () => ({ name: 'No such name' })),
};
