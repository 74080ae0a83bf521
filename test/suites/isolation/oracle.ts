/*
 * Who may see and do what, as docs/contract.md#roles-and-visibility and docs/contract.md#meetings say it. Written from
 * that page alone: nothing here may be imported from src/ or taken from it, else the matrix compares the code with itself.
 */

export type RoleName = 'owner' | 'admin' | 'lead' | 'member' | 'client';

/**
 * What an actor is to an object. `creator`: made the task and the meeting, and has left the project since.
 * `follower`: was assigned once. `none`: of a colleague. `foreign`: of another workspace. `missing`: never was.
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
  /** Whether the credentials are for the workspace of the objects. */
  readonly isBoundHere: boolean;
}

/** 404, 403 and 400, in this order of checks (docs/contract.md#order-of-checks). */
export type Outcome = 'ok' | 'hidden' | 'forbidden' | 'refused';

function isHere({ isBoundHere }: Actor, relation: Relation): boolean {
  return isBoundHere && relation !== 'foreign' && relation !== 'missing';
}

/** "Member of a project" includes its owner. */
export function isIn(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && (relation === 'owned' || relation === 'joined');
}

export function seesProject(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && (actor.role !== 'client' || isIn(actor, relation));
}

export function seesTask(actor: Actor, relation: Relation): boolean {
  return seesProject(actor, relation) || follows(actor, relation);
}

/** Creators and assignees follow. */
function follows(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && ['creator', 'follower', 'assignee'].includes(relation);
}

/** `scope=mine`: projects owned or joined, plus what one follows. */
export function isMine(actor: Actor, relation: Relation): boolean {
  return isIn(actor, relation) || follows(actor, relation);
}

const leads = (actor: Actor) => actor.role === 'owner' || actor.role === 'admin' || actor.role === 'lead';

/** GET /meetings: owners and admins every project, everyone else their own. */
export function listsMeeting(actor: Actor, relation: Relation): boolean {
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return isHere(actor, relation) && (isAdmin || isIn(actor, relation));
}

/** GET /meetings/{id}: leads too. */
function seesMeeting(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && (leads(actor) || isIn(actor, relation));
}

/** The dashboard: owned and joined projects, plus what is assigned to oneself; clients without that. */
export function isOnDashboard(actor: Actor, relation: Relation): boolean {
  if (!isHere(actor, relation)) return false;
  switch (actor.role) {
    case 'owner':
    case 'admin':
      return true;
    case 'lead':
    case 'member':
      return isIn(actor, relation) || relation === 'assignee';
    case 'client':
      return isIn(actor, relation);
  }
}

type Verdict = (actor: Actor, relation: Relation) => Outcome;

export const onProject: Verdict = (actor, relation) => (seesProject(actor, relation) ? 'ok' : 'hidden');
/** Everyone who can see a task can also edit it. */
export const onTask: Verdict = (actor, relation) => (seesTask(actor, relation) ? 'ok' : 'hidden');
export const onArchivedTask: Verdict = (actor, relation) =>
  seesTask(actor, relation) ? 'refused' : 'hidden';
/** Changing a comment that a colleague wrote, and removing it. */
export const onForeignComment: Verdict = (actor, relation) =>
  seesTask(actor, relation) ? 'forbidden' : 'hidden';
export const removingComment: Verdict = (actor, relation) => {
  const outcome = onForeignComment(actor, relation);
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return outcome === 'forbidden' && isAdmin ? 'ok' : outcome;
};
export const onMeeting: Verdict = (actor, relation) => (seesMeeting(actor, relation) ? 'ok' : 'hidden');

/** Removing a file that someone else uploaded (docs/contract.md#removing-a-file). */
export const removing: Verdict = (actor, relation) => {
  if (!seesTask(actor, relation)) return 'hidden';
  return actor.role === 'owner' || actor.role === 'admin' || relation === 'owned' ? 'ok' : 'forbidden';
};
export const removingOfProject: Verdict = (actor, relation) =>
  seesProject(actor, relation) ? removing(actor, relation) : 'hidden';

/** A copy is a new task of the project, and that takes seeing the project. */
export const duplicating: Verdict = (actor, relation) => {
  if (!seesTask(actor, relation)) return 'hidden';
  return seesProject(actor, relation) ? 'ok' : 'forbidden';
};

/** Planning takes membership: rule 2 of docs/contract.md#meetings. */
export const planning: Verdict = (actor, relation) => {
  if (!seesProject(actor, relation)) return 'hidden';
  return isIn(actor, relation) ? 'ok' : 'forbidden';
};

/** A recurring meeting takes a role: rule 4 there. */
export const repeating: Verdict = (actor, relation) => {
  const outcome = planning(actor, relation);
  return outcome === 'ok' && !leads(actor) ? 'forbidden' : outcome;
};

/** A person outside the project: rule 3 there. */
export const invitingStrangers: Verdict = (actor, relation) => {
  const outcome = planning(actor, relation);
  return outcome === 'ok' ? 'refused' : outcome;
};

/** Moving one takes membership too: rule 5 there. */
export const moving: Verdict = (actor, relation) => {
  if (!seesMeeting(actor, relation)) return 'hidden';
  return isIn(actor, relation) ? 'ok' : 'forbidden';
};

/** Cancelling takes a role: rule 6 there. */
export const cancelling: Verdict = (actor, relation) => {
  if (!seesMeeting(actor, relation)) return 'hidden';
  return leads(actor) ? 'ok' : 'forbidden';
};

/** Webhooks (docs/events.md): clients have none, others see their own, owners and admins see, pause and delete all. */
export const seeingWebhook: Verdict = (actor, relation) => {
  if (!isHere(actor, relation) || actor.role === 'client') return 'hidden';
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return relation === 'owned' || isAdmin ? 'ok' : 'hidden';
};
/** Only the creator can change the address and the events. */
export const changingWebhook: Verdict = (actor, relation) => {
  const outcome = seeingWebhook(actor, relation);
  return outcome === 'ok' && relation !== 'owned' ? 'forbidden' : outcome;
};

export type CredentialName = 'session' | 'api key' | 'token with the scope' | 'token without it';

/** API keys and sessions have every scope; session endpoints take only sessions (docs/contract.md#scopes). */
export function reaches(credential: CredentialName, needed: string): boolean {
  if (needed === 'session') return credential === 'session';
  return credential !== 'token without it';
}
