/*
 * Who may see and do what, according to docs/contract.md#roles-and-visibility and docs/contract.md#meetings. Based only
 * on that page: importing or copying anything from src/ would make the matrix compare the code with itself.
 */

export type RoleName = 'owner' | 'admin' | 'lead' | 'member' | 'client';

/**
 * The relation of an actor to an object. `creator` created the task and the meeting, and has since left the project.
 * `follower` is a former assignee. `none` means a colleague's object, `foreign` one of another workspace, and `missing`
 * one that never existed.
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

/** The errors 404, 403 and 400 are checked in this order (docs/contract.md#order-of-checks). */
export type Outcome = 'ok' | 'hidden' | 'forbidden' | 'refused';

function isHere({ isBoundHere }: Actor, relation: Relation): boolean {
  return isBoundHere && relation !== 'foreign' && relation !== 'missing';
}

/** In the contract, the members of a project include its owner. */
export function isIn(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && (relation === 'owned' || relation === 'joined');
}

export function seesProject(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && (actor.role !== 'client' || isIn(actor, relation));
}

export function seesTask(actor: Actor, relation: Relation): boolean {
  return seesProject(actor, relation) || follows(actor, relation);
}

/** Creators and assignees are followers too. */
function follows(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && ['creator', 'follower', 'assignee'].includes(relation);
}

/** `scope=mine` covers projects that the actor owns or has joined, and tasks that the actor follows. */
export function isMine(actor: Actor, relation: Relation): boolean {
  return isIn(actor, relation) || follows(actor, relation);
}

const leads = (actor: Actor) => actor.role === 'owner' || actor.role === 'admin' || actor.role === 'lead';

/** GET /meetings lists all meetings for owners and admins, and those of their own projects for everyone else. */
export function listsMeeting(actor: Actor, relation: Relation): boolean {
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return isHere(actor, relation) && (isAdmin || isIn(actor, relation));
}

/** Leads can also read meetings of other projects with GET /meetings/{id}. */
function seesMeeting(actor: Actor, relation: Relation): boolean {
  return isHere(actor, relation) && (leads(actor) || isIn(actor, relation));
}

/** The dashboard covers owned and joined projects and, except for clients, the tasks assigned to the actor. */
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
/** Changing a comment that a colleague wrote. */
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

/** A copy is a new task in the project, so the actor must see the project. */
export const duplicating: Verdict = (actor, relation) => {
  if (!seesTask(actor, relation)) return 'hidden';
  return seesProject(actor, relation) ? 'ok' : 'forbidden';
};

/** Only project members can create meetings (docs/contract.md#meetings, rule 2). */
export const planning: Verdict = (actor, relation) => {
  if (!seesProject(actor, relation)) return 'hidden';
  return isIn(actor, relation) ? 'ok' : 'forbidden';
};

/** Only some roles can create recurring meetings (docs/contract.md#meetings, rule 4). */
export const repeating: Verdict = (actor, relation) => {
  const outcome = planning(actor, relation);
  return outcome === 'ok' && !leads(actor) ? 'forbidden' : outcome;
};

/** People outside the project can't be invited (docs/contract.md#meetings, rule 3). */
export const invitingStrangers: Verdict = (actor, relation) => {
  const outcome = planning(actor, relation);
  return outcome === 'ok' ? 'refused' : outcome;
};

/** Only project members can move meetings (docs/contract.md#meetings, rule 5). */
export const moving: Verdict = (actor, relation) => {
  if (!seesMeeting(actor, relation)) return 'hidden';
  return isIn(actor, relation) ? 'ok' : 'forbidden';
};

/** Only some roles can cancel meetings (docs/contract.md#meetings, rule 6). */
export const cancelling: Verdict = (actor, relation) => {
  if (!seesMeeting(actor, relation)) return 'hidden';
  return leads(actor) ? 'ok' : 'forbidden';
};

/**
 * Webhooks (docs/events.md): clients have none, others see their own, and owners and admins see, pause and delete all.
 */
export const seeingWebhook: Verdict = (actor, relation) => {
  if (!isHere(actor, relation) || actor.role === 'client') return 'hidden';
  const isAdmin = actor.role === 'owner' || actor.role === 'admin';
  return relation === 'owned' || isAdmin ? 'ok' : 'hidden';
};
/** Only the creator of a webhook can change its address and events. */
export const changingWebhook: Verdict = (actor, relation) => {
  const outcome = seeingWebhook(actor, relation);
  return outcome === 'ok' && relation !== 'owned' ? 'forbidden' : outcome;
};

export type CredentialName = 'session' | 'api key' | 'token with the scope' | 'token without the scope';

/** API keys and sessions have every scope. Session endpoints accept only sessions (docs/contract.md#scopes). */
export function reaches(credential: CredentialName, needed: string): boolean {
  if (needed === 'session') return credential === 'session';
  return credential !== 'token without the scope';
}
