/*
 * The permissions in docs/contract.md#roles-and-visibility and docs/contract.md#meetings. Based only on that page:
 * importing or copying anything from src/ would make the tests compare the code with itself.
 */

export type RoleName = 'owner' | 'admin' | 'lead' | 'member' | 'client';

/**
 * The relation of an actor to an object. `creator`: the actor created the task and the meeting, and has since left the
 * project. `follower`: the actor is a former assignee, or a client who is the second assignee. `none`: the object
 * belongs to a colleague. `foreign`: the object is in another workspace. `missing`: the object never existed.
 */
export type Relation =
  | 'owned'
  | 'joined'
  | 'creator'
  | 'follower'
  | 'assignee'
  | 'none'
  | 'foreign'
  | 'missing';

export interface Actor {
  readonly name: string;
  readonly role: RoleName;
  /** Whether the credentials belong to the workspace of the objects. */
  readonly isBoundHere: boolean;
}

/**
 * `hidden` is 404, `forbidden` is 403, and `refused` is 400. If several apply, the first of these is returned
 * (docs/contract.md#order-of-checks).
 */
export type Outcome = 'ok' | 'hidden' | 'forbidden' | 'refused';

function isInWorkspace({ isBoundHere }: Actor, relation: Relation): boolean {
  return isBoundHere && relation !== 'foreign' && relation !== 'missing';
}

/** In the contract, the members of a project include its owner. */
export function isProjectMember(actor: Actor, relation: Relation): boolean {
  return isInWorkspace(actor, relation) && (relation === 'owned' || relation === 'joined');
}

export function seesProject(actor: Actor, relation: Relation): boolean {
  return isInWorkspace(actor, relation) && (actor.role !== 'client' || isProjectMember(actor, relation));
}

export function seesTask(actor: Actor, relation: Relation): boolean {
  return seesProject(actor, relation) || followsTask(actor, relation);
}

/** Creators and assignees are also followers. */
function followsTask(actor: Actor, relation: Relation): boolean {
  return isInWorkspace(actor, relation) && ['creator', 'follower', 'assignee'].includes(relation);
}

/** `scope=mine` covers the actor's projects and the tasks that the actor follows. */
export function isInScopeMine(actor: Actor, relation: Relation): boolean {
  return isProjectMember(actor, relation) || followsTask(actor, relation);
}

const isLeadOrAbove = (actor: Actor) =>
  actor.role === 'owner' || actor.role === 'admin' || actor.role === 'lead';

/**
 * GET /meetings lists all meetings for owners and admins, and meetings in owned and joined projects for everyone else.
 */
export function listsMeeting(actor: Actor, relation: Relation): boolean {
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return isInWorkspace(actor, relation) && (isAdmin || isProjectMember(actor, relation));
}

/** Leads can also read meetings in other projects with GET /meetings/{id}. */
function seesMeeting(actor: Actor, relation: Relation): boolean {
  return isInWorkspace(actor, relation) && (isLeadOrAbove(actor) || isProjectMember(actor, relation));
}

/**
 * For owners and admins, the dashboard covers the whole workspace. For others, it covers owned and joined projects and,
 * except for clients, the tasks assigned to the actor.
 */
export function isOnDashboard(actor: Actor, relation: Relation): boolean {
  if (!isInWorkspace(actor, relation)) return false;
  switch (actor.role) {
    case 'owner':
    case 'admin':
      return true;
    case 'lead':
    case 'member':
      return isProjectMember(actor, relation) || relation === 'assignee';
    case 'client':
      return isProjectMember(actor, relation);
  }
}

type AccessJudge = (actor: Actor, relation: Relation) => Outcome;

export const judgeProjectAccess: AccessJudge = (actor, relation) =>
  seesProject(actor, relation) ? 'ok' : 'hidden';
export const judgeTaskAccess: AccessJudge = (actor, relation) =>
  seesTask(actor, relation) ? 'ok' : 'hidden';
export const judgeArchivedTaskChange: AccessJudge = (actor, relation) =>
  seesTask(actor, relation) ? 'refused' : 'hidden';
/** Judges changes to comments that a colleague wrote. */
export const judgeForeignCommentChange: AccessJudge = (actor, relation) =>
  seesTask(actor, relation) ? 'forbidden' : 'hidden';
export const judgeCommentRemoval: AccessJudge = (actor, relation) => {
  const outcome = judgeForeignCommentChange(actor, relation);
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return outcome === 'forbidden' && isAdmin ? 'ok' : outcome;
};
export const judgeMeetingAccess: AccessJudge = (actor, relation) =>
  seesMeeting(actor, relation) ? 'ok' : 'hidden';

/** Judges the removal of files that someone else uploaded (docs/contract.md#removing-a-file). */
export const judgeTaskFileRemoval: AccessJudge = (actor, relation) => {
  if (!seesTask(actor, relation)) return 'hidden';
  return actor.role === 'owner' || actor.role === 'admin' || relation === 'owned' ? 'ok' : 'forbidden';
};
export const judgeProjectFileRemoval: AccessJudge = (actor, relation) =>
  seesProject(actor, relation) ? judgeTaskFileRemoval(actor, relation) : 'hidden';

/** Only people who may delete a task see it in the trash. */
export const judgeTaskRestore: AccessJudge = (actor, relation) =>
  judgeTaskFileRemoval(actor, relation) === 'ok' ? 'ok' : 'hidden';

/** A copy is a new task in the project, so the actor must see the project. */
export const judgeTaskCopy: AccessJudge = (actor, relation) => {
  if (!seesTask(actor, relation)) return 'hidden';
  return seesProject(actor, relation) ? 'ok' : 'forbidden';
};

/** Only project members can create meetings (docs/contract.md#meetings, rule 2). */
export const judgeMeetingCreation: AccessJudge = (actor, relation) => {
  if (!seesProject(actor, relation)) return 'hidden';
  return isProjectMember(actor, relation) ? 'ok' : 'forbidden';
};

/** Only some roles can create recurring meetings (docs/contract.md#meetings, rule 4). */
export const judgeRecurringMeetingCreation: AccessJudge = (actor, relation) => {
  const outcome = judgeMeetingCreation(actor, relation);
  return outcome === 'ok' && !isLeadOrAbove(actor) ? 'forbidden' : outcome;
};

/** People outside the project can't be invited (docs/contract.md#meetings, rule 3). */
export const judgeOutsiderInvitation: AccessJudge = (actor, relation) => {
  const outcome = judgeMeetingCreation(actor, relation);
  return outcome === 'ok' ? 'refused' : outcome;
};

/** Only project members can move meetings (docs/contract.md#meetings, rule 5). */
export const judgeMeetingMove: AccessJudge = (actor, relation) => {
  if (!seesMeeting(actor, relation)) return 'hidden';
  return isProjectMember(actor, relation) ? 'ok' : 'forbidden';
};

/** Only some roles can cancel meetings (docs/contract.md#meetings, rule 6). */
export const judgeMeetingCancellation: AccessJudge = (actor, relation) => {
  if (!seesMeeting(actor, relation)) return 'hidden';
  return isLeadOrAbove(actor) ? 'ok' : 'forbidden';
};

/**
 * Webhooks (docs/events.md): clients have none, others see their own, and owners and admins see, pause and delete all.
 */
export const judgeWebhookAccess: AccessJudge = (actor, relation) => {
  if (!isInWorkspace(actor, relation) || actor.role === 'client') return 'hidden';
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return relation === 'owned' || isAdmin ? 'ok' : 'hidden';
};
/** Only the creator of a webhook can change its URL and events. */
export const judgeWebhookChange: AccessJudge = (actor, relation) => {
  const outcome = judgeWebhookAccess(actor, relation);
  return outcome === 'ok' && relation !== 'owned' ? 'forbidden' : outcome;
};

/** Owners and admins can see all imports and exports of the workspace. */
export const judgeImportAccess: AccessJudge = (actor, relation) => {
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return isAdmin && isInWorkspace(actor, relation) ? 'ok' : 'hidden';
};
export const judgeImportCreation: AccessJudge = (actor, relation) => {
  if (actor.role !== 'owner' && actor.role !== 'admin') return 'forbidden';
  return isInWorkspace(actor, relation) ? 'ok' : 'hidden';
};

export type CredentialName = 'session' | 'api key' | 'token with the scope' | 'token without the scope';

/**
 * Sessions and the API keys of these tests have all scopes. Session endpoints accept only sessions
 * (docs/contract.md#scopes).
 */
export function credentialAllows(credential: CredentialName, needed: string): boolean {
  if (needed === 'session') return credential === 'session';
  return credential !== 'token without the scope';
}
